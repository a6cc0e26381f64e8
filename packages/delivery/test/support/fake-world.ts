import { memoryStore } from "@hookwright/storage/memory";
import { partitionOf } from "@hookwright/storage";
import type { Commit, Entry, Store } from "@hookwright/storage";
import type { EventName } from "@hookwright/domain";
import { createDelivery, toOutboxMutations, toWakeKeys } from "../../src/outbox.ts";
import { parseDeliveryRow } from "../../src/rows/delivery-row.ts";
import type { AttemptRow, DeliveryRow } from "../../src/rows/delivery-row.ts";
import { keys } from "../../src/rows/keys.ts";
import { nextGuard, toWebhookRemoval } from "../../src/rows/webhook-removal.ts";
import { parseWebhookHealth, parseWebhookRow } from "../../src/rows/webhook-row.ts";
import type { WebhookHealthRow, WebhookRow } from "../../src/rows/webhook-row.ts";
import type { WebhookNotice } from "../../src/scheduler/recording/webhook-in-batch.ts";
import { createScheduler } from "../../src/scheduler/scheduler.ts";
import type { Scheduler, SchedulerOptions } from "../../src/scheduler/scheduler.ts";
import type { CancelReason } from "../../src/scheduler/turns/finished.ts";
import { createSecretBox } from "../../src/secret-box.ts";
import { createSignerSource } from "../../src/signer-source.ts";
import { createFakeClock } from "./fake-clock.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createFakeTransport } from "./fake-transport.ts";
import type { FakeTransport } from "./fake-transport.ts";

export const accountId = "acc_1";
export const event: EventName = "order.created";
export const signingSecret = "whsec_test";
export const partition = partitionOf(accountId);

export interface World<Wrapped extends Store = Store> {
  readonly partition: string;
  readonly clock: FakeClock;
  readonly store: Wrapped;
  readonly transport: FakeTransport;
  readonly notices: WebhookNotice[];
  readonly faults: unknown[];
  readonly attempts: AttemptRow[];
  /** Why the next messages cannot be read, if so. */
  refuseMessages(reason: CancelReason | undefined): void;
  scheduler(options?: Partial<SchedulerOptions>): Scheduler;
  addWebhook(webhookId: string, changes?: Partial<WebhookRow>): Promise<void>;
  changeWebhook(webhookId: string, changes: Partial<WebhookRow>): Promise<void>;
  removeWebhook(webhookId: string): Promise<void>;
  /** Commits deliveries as a publish does, and wakes whoever watches without saying why. Offering them is the caller's. */
  publish(webhookId: string, ...recordIds: string[]): Promise<DeliveryRow[]>;
  /** The same as another process does where the storage can pass on which queues have something new. */
  publishElsewhere(webhookId: string, ...recordIds: string[]): Promise<DeliveryRow[]>;
  delivery(id: string): Promise<DeliveryRow>;
  webhook(webhookId: string): Promise<WebhookRow | undefined>;
  health(webhookId: string): Promise<WebhookHealthRow>;
  /** What still waits, in either queue. */
  queued(): Promise<Entry[]>;
  /** Where the log index has a delivery: [status, kind] for each entry. */
  logged(deliveryId: string): Promise<string[][]>;
}

export interface WorldOptions<Wrapped extends Store> {
  readonly wrapStore: (store: Store) => Wrapped;
}

export function createWorld(): World;
export function createWorld<Wrapped extends Store>(options: WorldOptions<Wrapped>): World<Wrapped>;
export function createWorld({ wrapStore }: WorldOptions<Store> = { wrapStore: (store) => store }): World {
  const clock = createFakeClock();
  const store = wrapStore(memoryStore({ now: clock.now }));
  const transport = createFakeTransport(clock.now);
  const secretBox = createSecretBox({ secret: "a secret of at least thirty-two characters" });
  const notices: WebhookNotice[] = [];
  const faults: unknown[] = [];
  const attempts: AttemptRow[] = [];
  let refusal: CancelReason | undefined;
  let made = 0;

  const everything = (...prefix: string[]) => store.list({ prefix: [partition, ...prefix], limit: 100_000 });

  async function webhook(webhookId: string): Promise<WebhookRow | undefined> {
    const text = await store.get(keys.webhook(accountId, event, webhookId));
    return text === undefined ? undefined : parseWebhookRow(text);
  }

  async function putWebhook(row: WebhookRow): Promise<void> {
    await store.commit(partition, {
      mutations: [{ type: "set", key: keys.webhook(accountId, event, row.id), value: JSON.stringify(row) }],
      wake: true,
    });
  }

  async function createDeliveries(webhookId: string, recordIds: readonly string[]): Promise<DeliveryRow[]> {
    const row = await webhook(webhookId);
    return recordIds.map((recordId) => {
      made += 1;
      return createDelivery({
        id: `dlv_${String(made).padStart(8, "0")}`,
        accountId,
        webhook: row ?? { id: webhookId, target_url: "https://gone.example.com/" },
        event,
        recordId,
        recordArrival: 1,
        projectId: "site_1",
        kind: "event",
        now: clock.now(),
      });
    });
  }

  async function commitDeliveries(deliveries: readonly DeliveryRow[], wake: Commit["wake"]): Promise<void> {
    const mutations = deliveries.flatMap((delivery) => toOutboxMutations(accountId, delivery));
    await store.commit(partition, { mutations, wake });
  }

  return {
    partition,
    clock,
    store,
    transport,
    notices,
    faults,
    attempts,
    refuseMessages(reason) {
      refusal = reason;
    },
    scheduler: (options = {}) =>
      createScheduler({
        store,
        partitions: [partition],
        worker: { id: "worker_1", host: "here", process: 1 },
        transport,
        readMessages: async (_, deliveries) =>
          deliveries.map((delivery) =>
            refusal === undefined
              ? { ok: true, body: `{"id":"${delivery.event}_${delivery.record_id}"}` }
              : { ok: false, reason: refusal },
          ),
        signers: createSignerSource({ secretBox }),
        retryDelaysSeconds: [15, 60, 240, 540, 900],
        attemptTimeoutMs: 10_000,
        clock,
        wallClock: clock.now,
        random: () => 0.5,
        onNotice: (notice) => notices.push(notice),
        onFault: (error) => faults.push(error),
        onAttempt: (_, __, attempt) => attempts.push(attempt),
        ...options,
      }),
    async addWebhook(webhookId, changes = {}) {
      const sealed = secretBox.seal(signingSecret, webhookId);
      const row: WebhookRow = {
        id: webhookId,
        event,
        target_url: `https://${webhookId}.example.com/hooks`,
        project_id: null,
        status: "active",
        created_at: clock.now(),
        created_by: { type: "console", key_id: null, name: null, integration: false },
        ...changes,
      };
      await store.commit(partition, {
        mutations: [
          {
            type: "set",
            key: keys.signingSecret(accountId, webhookId),
            value: JSON.stringify({ webhook_id: webhookId, current: sealed, pending: null }),
          },
          {
            type: "set",
            key: keys.webhookGuard(accountId),
            value: nextGuard(await store.get(keys.webhookGuard(accountId))),
          },
        ],
      });
      await putWebhook(row);
    },
    async changeWebhook(webhookId, changes) {
      const before = await webhook(webhookId);
      if (before === undefined) throw new Error(`no webhook ${webhookId}`);
      await putWebhook({ ...before, ...changes });
    },
    async removeWebhook(webhookId) {
      const guard = await store.get(keys.webhookGuard(accountId));
      await store.commit(partition, {
        mutations: toWebhookRemoval({ accountId, event, webhookId }, guard),
        wake: true,
      });
    },
    async publish(webhookId, ...recordIds) {
      const deliveries = await createDeliveries(webhookId, recordIds);
      await commitDeliveries(deliveries, true);
      return deliveries;
    },
    async publishElsewhere(webhookId, ...recordIds) {
      const deliveries = await createDeliveries(webhookId, recordIds);
      await commitDeliveries(deliveries, toWakeKeys(accountId, deliveries));
      return deliveries;
    },
    async delivery(id) {
      const text = await store.get(keys.delivery(accountId, id));
      if (text === undefined) throw new Error(`no delivery ${id}`);
      return parseDeliveryRow(text);
    },
    webhook,
    async health(webhookId) {
      return parseWebhookHealth(await store.get(keys.webhookHealth(accountId, webhookId)));
    },
    async queued() {
      return [...(await everything("fresh")), ...(await everything("retry"))];
    },
    async logged(deliveryId) {
      const entries = await everything("delivery-log");
      return entries
        .filter(({ key }) => key.at(-1) === deliveryId)
        .map(({ key }) => key.slice(-3, -1).map(String));
    },
  };
}
