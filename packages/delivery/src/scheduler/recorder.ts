import { countAttempt, moveWebhook } from "@hookwright/domain";
import type { Check, Mutation, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { LaneAddress } from "../rows/keys.ts";
import { parseWebhookHealth, parseWebhookRow } from "../rows/webhook-row.ts";
import type { WebhookHealthRow } from "../rows/webhook-row.ts";
import { toWebhookRemoval } from "../rows/webhook-removal.ts";
import type { DeliveryRow } from "../rows/delivery-row.ts";
import type { Finished } from "./finished.ts";
import { settle } from "./settle.ts";

/** The account's owner is told of these. */
export interface WebhookNotice {
  readonly type: "failing" | "switched_off";
  readonly accountId: string;
  readonly webhookId: string;
  readonly targetUrl: string;
  readonly consecutiveFailures: number;
}

export interface Recorded {
  readonly finished: Finished;
  readonly delivery: DeliveryRow;
}

export interface RecorderOptions {
  readonly store: Store;
  readonly partition: string;
  /** The lease check; undefined once the partition is lost: then nothing may be written any more. */
  readonly fence: () => Check | undefined;
  readonly retryDelaysSeconds: readonly number[];
  readonly random: () => number;
  readonly now: () => number;
  readonly onRecorded: (recorded: readonly Recorded[]) => void;
  /** The lease is gone: whoever holds it now sends these again. */
  readonly onLost: (finished: readonly Finished[]) => void;
  readonly onNotice: (notice: WebhookNotice) => void;
  readonly onFault: (error: unknown) => void;
}

export interface Recorder {
  add(finished: Finished): void;
  /** Turns that are not durable yet. */
  readonly pending: number;
  /** Resolves when everything added so far is durable or lost. */
  drained(): Promise<void>;
}

/** As many turns share one commit at most: large enough to spread the cost, small enough to stay quick. */
const maximumBatch = 256;
const faultPauseMs = 500;

/**
 * Makes finished turns of one partition durable, one commit after the other. Those that end while a commit is under
 * way share the next one, so a webhook's counters are read and written once for many attempts.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const { store, partition, fence, now, onFault, onLost, onNotice, onRecorded } = options;
  const queue: Finished[] = [];
  let pending = 0;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    // Answers that arrive in one turn of the event loop end up in one commit.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const batch = queue.splice(0, maximumBatch);
      await recordUntilDone(batch);
      pending -= batch.length;
    }
    running = undefined;
  }

  /** A fault of the store must not lose a result: it is kept and tried again until it is written or the lease is lost. */
  async function recordUntilDone(batch: readonly Finished[]): Promise<void> {
    for (;;) {
      const check = fence();
      if (check === undefined) return onLost(batch);
      try {
        if (await record(batch, check)) return;
      } catch (error) {
        onFault(error);
        await new Promise<void>((resolve) => setTimeout(resolve, faultPauseMs));
      }
    }
  }

  /** False when somebody changed a webhook meanwhile: everything is read again. */
  async function record(batch: readonly Finished[], check: Check): Promise<boolean> {
    const lanes = new Map<string, LaneAddress>();
    for (const { lane, outcome } of batch) if (outcome.type === "attempted") lanes.set(lane.webhookId, lane);
    const webhooks = await readWebhooks(store, [...lanes.values()]);
    const checks: Check[] = [check];
    const mutations: Mutation[] = [];
    const recorded: Recorded[] = [];
    for (const finished of batch) {
      const webhook = webhooks.get(finished.lane.webhookId);
      webhook?.count(finished, now());
      const { delivery, mutations: changes } = settle(finished, {
        retryDelaysSeconds: options.retryDelaysSeconds,
        random: options.random,
        now: now(),
        webhookRemoved: webhook?.removed ?? false,
      });
      mutations.push(...changes);
      recorded.push({ finished, delivery });
    }
    for (const webhook of webhooks.values()) {
      checks.push(...webhook.checks());
      mutations.push(...webhook.mutations());
    }
    const result = await store.commit(partition, { checks, mutations });
    if (!result.ok) return false;
    for (const webhook of webhooks.values()) webhook.notices.forEach(onNotice);
    onRecorded(recorded);
    return true;
  }

  return {
    add(finished) {
      queue.push(finished);
      pending += 1;
      running ??= run();
    },
    get pending() {
      return pending;
    },
    async drained() {
      while (running !== undefined) await running;
    },
  };
}

/** The webhooks of one batch, with what its attempts do to them. */
async function readWebhooks(
  store: Store,
  lanes: readonly LaneAddress[],
): Promise<Map<string, WebhookInBatch>> {
  const texts = await store.getMany(
    lanes.flatMap(({ accountId, event, webhookId }) => [
      keys.webhook(accountId, event, webhookId),
      keys.webhookHealth(accountId, webhookId),
      keys.webhookGuard(accountId),
    ]),
  );
  return new Map(
    lanes.map((lane, index) => [
      lane.webhookId,
      openWebhook(lane, { row: texts[index * 3], health: texts[index * 3 + 1], guard: texts[index * 3 + 2] }),
    ]),
  );
}

interface WebhookInBatch {
  /** It was gone before, or one of these answers was 410. */
  readonly removed: boolean;
  readonly notices: WebhookNotice[];
  count(finished: Finished, now: number): void;
  checks(): Check[];
  mutations(): Mutation[];
}

interface WebhookTexts {
  readonly row: string | undefined;
  readonly health: string | undefined;
  readonly guard: string | undefined;
}

function openWebhook(lane: LaneAddress, texts: WebhookTexts): WebhookInBatch {
  const { accountId, event, webhookId } = lane;
  const rowKey = keys.webhook(accountId, event, webhookId);
  const healthKey = keys.webhookHealth(accountId, webhookId);
  const row = texts.row === undefined ? undefined : parseWebhookRow(texts.row);
  const notices: WebhookNotice[] = [];
  let health: WebhookHealthRow = parseWebhookHealth(texts.health);
  let status = row?.status;
  let gone = row === undefined;

  return {
    get removed() {
      return gone;
    },
    notices,
    count({ delivery, outcome }, now) {
      // A test has no counters, and what is removed has none any more.
      if (outcome.type !== "attempted" || row === undefined || gone) return;
      if (outcome.attempt.status === 410) {
        gone = moveWebhook(row.status, "gone").ok;
        return;
      }
      if (delivery.kind === "test") return;
      const accepted = outcome.attempt.error === null;
      const counted = countAttempt(
        { consecutiveFailures: health.consecutive_failures, lastWarningAt: health.last_warning_at },
        { accepted, now },
      );
      health = {
        consecutive_failures: counted.consecutiveFailures,
        last_warning_at: counted.lastWarningAt,
        last_success_at: accepted ? now : health.last_success_at,
        last_failure_at: accepted ? health.last_failure_at : now,
      };
      const notice = {
        accountId,
        webhookId,
        targetUrl: row.target_url,
        consecutiveFailures: health.consecutive_failures,
      };
      if (counted.action === "warn") notices.push({ type: "failing", ...notice });
      if (counted.action !== "switch_off" || status === undefined) return;
      const moved = moveWebhook(status, "switch_off");
      if (!moved.ok || moved.state !== "switched_off") return;
      status = moved.state;
      notices.push({ type: "switched_off", ...notice });
    },
    checks() {
      const same: Check[] = [
        { key: rowKey, value: texts.row },
        { key: healthKey, value: texts.health },
      ];
      return gone && row !== undefined
        ? [...same, { key: keys.webhookGuard(accountId), value: texts.guard }]
        : same;
    },
    mutations() {
      if (row === undefined) return [];
      if (gone) return toWebhookRemoval(lane, texts.guard);
      const changes: Mutation[] = [{ type: "set", key: healthKey, value: JSON.stringify(health) }];
      if (status !== undefined && status !== row.status) {
        changes.push({ type: "set", key: rowKey, value: JSON.stringify({ ...row, status }) });
      }
      return changes;
    },
  };
}
