import { memoryStore } from "@hookwright/storage/memory";
import { partitionOf } from "@hookwright/storage";
import type { Commit, Entry, Store } from "@hookwright/storage";
import type { EventName } from "@hookwright/domain";
import { createSigner } from "@hookwright/signature/node";
import { createDelivery, toNotification, toQueueMutations } from "../../src/enqueue.ts";
import { toLedgerMutations, toQueuedEntry } from "../../src/ledger/count.ts";
import { parseDeliveryRow } from "../../src/storage/delivery-codec.ts";
import { parseWebhookHealth, parseWebhookRow } from "../../src/storage/webhook-row.ts";
import type { AttemptRow, CancelReason, DeliveryRow } from "../../src/storage/delivery-row.ts";
import type { WebhookHealthRow, WebhookRow } from "../../src/storage/webhook-row.ts";
import { keys } from "../../src/storage/keys.ts";
import { removeWebhooks } from "../../src/webhooks/removed-webhooks.ts";
import type { WebhookNotice } from "../../src/webhooks/webhook-notice.ts";
import { addWebhook, findWebhook, readWebhookGuard, replaceRow } from "../../src/webhooks/webhook-store.ts";
import { createWorker } from "../../src/worker.ts";
import type { Worker, WorkerOptions } from "../../src/worker.ts";
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
  readonly errors: unknown[];
  readonly attempts: AttemptRow[];
  /** From now on there are no messages, for this reason. */
  refuseMessages(reason: CancelReason | undefined): void;
  worker(options?: Partial<WorkerOptions>): Worker;
  addWebhook(webhookId: string, changes?: Partial<WebhookRow>): Promise<void>;
  changeWebhook(webhookId: string, changes: Partial<WebhookRow>): Promise<void>;
  removeWebhook(webhookId: string): Promise<void>;
  /** Commits deliveries as a publish does. The caller offers them. */
  publish(webhookId: string, ...recordIds: string[]): Promise<DeliveryRow[]>;
  /** Commits deliveries as another process does: it notifies the workers. */
  publishElsewhere(webhookId: string, ...recordIds: string[]): Promise<DeliveryRow[]>;
  delivery(id: string): Promise<DeliveryRow>;
  webhook(webhookId: string): Promise<WebhookRow | undefined>;
  health(webhookId: string): Promise<WebhookHealthRow>;
  /** The entries of both queues. */
  queued(): Promise<Entry[]>;
  /** The status and kind of each entry of the log index for a delivery. */
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
  const notices: WebhookNotice[] = [];
  const errors: unknown[] = [];
  const attempts: AttemptRow[] = [];
  let refusal: CancelReason | undefined;
  let made = 0;

  const everything = (...prefix: string[]) => store.list({ prefix: [partition, ...prefix], limit: 100_000 });

  async function webhook(webhookId: string): Promise<WebhookRow | undefined> {
    const text = await store.get(keys.webhook({ accountId, event, webhookId }));
    return text === undefined ? undefined : parseWebhookRow(text);
  }

  async function createDeliveries(webhookId: string, recordIds: readonly string[]): Promise<DeliveryRow[]> {
    const row = await webhook(webhookId);
    return recordIds.map((recordId) => {
      made += 1;
      return createDelivery({
        id: `dlv_${String(made).padStart(8, "0")}`,
        webhook: row ?? { id: webhookId, event, target_url: "https://gone.example.com/" },
        event,
        recordId,
        recordArrival: 1,
        projectId: "site_1",
        kind: "event",
        now: clock.now(),
      });
    });
  }

  async function commitDeliveries(
    deliveries: readonly DeliveryRow[],
    notify: Commit["notify"],
  ): Promise<void> {
    const counted = deliveries.map((delivery) => toQueuedEntry(accountId, delivery));
    const mutations = deliveries.flatMap((delivery) => toQueueMutations(accountId, delivery));
    mutations.push(...toLedgerMutations(counted));
    await store.commit(partition, { mutations, notify });
  }

  return {
    partition,
    clock,
    store,
    transport,
    notices,
    errors,
    attempts,
    refuseMessages(reason) {
      refusal = reason;
    },
    worker: (options = {}) =>
      createWorker({
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
        openSigner: ({ current }) => createSigner(current),
        retryDelaysSeconds: [15, 60, 240, 540, 900],
        attemptTimeoutMs: 10_000,
        clock,
        wallClock: clock.now,
        random: () => 0.5,
        onNotice: (notice) => notices.push(notice),
        onError: (error) => errors.push(error),
        onAttempt: (_, __, attempt) => attempts.push(attempt),
        ...options,
      }),
    async addWebhook(webhookId, changes = {}) {
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
      const secrets = { webhook_id: webhookId, current: signingSecret, pending: null };
      await store.commit(partition, addWebhook(await readWebhookGuard(store, accountId), row, secrets));
    },
    async changeWebhook(webhookId, changes) {
      const before = await findWebhook(store, accountId, webhookId);
      if (before === undefined) throw new Error(`no webhook ${webhookId}`);
      await store.commit(partition, replaceRow(before, { ...before.row, ...changes }));
    },
    async removeWebhook(webhookId) {
      const guard = await readWebhookGuard(store, accountId);
      const webhook = await findWebhook(store, accountId, webhookId);
      const { checks, mutations, notify } = await removeWebhooks(store, guard, webhook ? [webhook.row] : [], {
        reason: "person",
        now: clock.now(),
      });
      await store.commit(partition, { checks, mutations, notify });
    },
    async publish(webhookId, ...recordIds) {
      const deliveries = await createDeliveries(webhookId, recordIds);
      await commitDeliveries(deliveries, undefined);
      return deliveries;
    },
    async publishElsewhere(webhookId, ...recordIds) {
      const deliveries = await createDeliveries(webhookId, recordIds);
      await commitDeliveries(deliveries, toNotification(accountId, deliveries));
      return deliveries;
    },
    async delivery(id) {
      const text = await store.get(keys.delivery(accountId, id));
      if (text === undefined) throw new Error(`no delivery ${id}`);
      return parseDeliveryRow(text);
    },
    webhook,
    async health(webhookId) {
      return parseWebhookHealth(await store.get(keys.webhookHealth({ accountId, webhookId })));
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
