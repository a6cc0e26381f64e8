import type { OnError } from "@hookwright/domain";
import { isSameKey, StorageError } from "@hookwright/storage";
import type { Check, Store } from "@hookwright/storage";
import type { Clock } from "../clock.ts";
import { toLedgerMutations } from "../ledger/count.ts";
import { moveEvents } from "../ledger/move-events.ts";
import { findCommitOutcome } from "./commit-outcome.ts";
import type { Endpoint } from "./endpoint.ts";
import { hasFailed, toPlan } from "./plan-batch.ts";
import type { EndpointPlan, EndpointResult, Plan, RecordChange } from "./plan-batch.ts";
import { keys } from "../storage/keys.ts";
import { queueKeyOf } from "./transitions.ts";
import type { Result, RetryOptions } from "./transitions.ts";
import type { WebhookNotice } from "../webhooks/webhook-notice.ts";
import { readWebhookGuard } from "../webhooks/webhook-store.ts";
import type { WebhookGuard } from "../webhooks/webhook-store.ts";

export interface RecorderOptions extends RetryOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The fence of a partition now. `undefined`: the lease is lost. */
  readonly fenceOf: (partition: string) => Check | undefined;
  readonly onRecorded: (plan: EndpointPlan) => void;
  /** The lease was lost. The next holder makes these attempts again. */
  readonly onLost: (results: readonly EndpointResult[]) => void;
  /** A result cannot be recorded because of an error of ours. Its delivery is not read again before the next restart. */
  readonly onDropped: (endpoint: Endpoint) => void;
  readonly recordChange?: RecordChange | undefined;
  readonly onNotice: (notice: WebhookNotice) => void;
  readonly onError: OnError;
}

/** Results in one commit. */
const maximumBatch = 256;
/** Results that may wait in one partition before its attempts stop. */
const maximumWaiting = 1_024;
const retryPauseMs = 500;

interface PartitionState {
  waiting: EndpointResult[];
  /** When the attempt of the oldest result that is not recorded ended. */
  oldestEndedAt: number;
  running: Promise<void> | undefined;
  isFailing: boolean;
}

/**
 * Records results by group commit: one commit at a time per partition. Results that arrive meanwhile share the next one.
 *
 * Every commit checks the lease and the rows of its webhooks. If another process has changed a row, the rows are read again.
 */
export function createRecorder(options: RecorderOptions) {
  const { store, clock, onError } = options;
  const partitions = new Map<string, PartitionState>();
  let unrecorded = 0;
  let isStopped = false;

  async function run(partition: string, state: PartitionState): Promise<void> {
    // Results of one tick of the event loop share a commit.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (let [first] = state.waiting; first !== undefined; [first] = state.waiting) {
      const { fence } = first;
      state.oldestEndedAt = first.result.endedAt;
      // Results of an earlier lease are not mixed with those of this one.
      const end = state.waiting.findIndex((each) => each.fence !== fence);
      const count = Math.min(maximumBatch, end === -1 ? state.waiting.length : end);
      await record(partition, state, state.waiting.splice(0, count), fence);
    }
    partitions.delete(partition);
  }

  /** Retries until the batch is recorded or the lease is lost. */
  async function record(
    partition: string,
    state: PartitionState,
    batch: readonly EndpointResult[],
    fence: Check,
  ): Promise<void> {
    /** The plan of a commit that ended with an error and may have happened. */
    let unknown: Plan | undefined;
    let isRepeated = false;
    while (!isStopped) {
      let plan: Plan | undefined;
      /** What is recorded. `undefined`: nothing yet, because a row was changed by somebody else, or after an error. */
      let recorded: Plan | "lost" | undefined;
      try {
        const checks = [fence];
        const found = unknown && (await findCommitOutcome(store, { batch: batch.map(toResult), fence }));
        // If the unknown commit still arrives, it removes this queue entry, and the new commit fails.
        if (found?.type === "open") checks.push(found.check);
        if (found?.type === "recorded") recorded = unknown;
        else if (found?.type === "superseded" || options.fenceOf(partition) !== fence) recorded = "lost";
        else {
          plan = await planBatch(batch);
          checks.push(...plan.checks);
          const committed = await store.commit(partition, { checks, mutations: plan.mutations });
          if (committed.ok) recorded = plan;
          else if (isSameKey(committed.failed, fence.key)) recorded = "lost";
        }
      } catch (error) {
        if (unknown === undefined && isAboutContent(error)) {
          if (isRepeated || batch.length > 1) return recordOneByOne(partition, state, batch, error);
          isRepeated = true;
        } else {
          unknown = plan ?? unknown;
          state.isFailing = true;
          onError(error, { partition, results: batch.length, code: "results_not_recorded" });
          await new Promise<void>((resolve) => clock.schedule(resolve, retryPauseMs));
        }
      }
      if (recorded !== undefined) return finish(state, batch, recorded);
      // The rows in memory may be older than those in the store.
      for (const { endpoint } of batch) endpoint.texts = undefined;
    }
  }

  /** One result that cannot be planned must not block the others. Its delivery stays in the queue. */
  async function recordOneByOne(
    partition: string,
    state: PartitionState,
    batch: readonly EndpointResult[],
    error: unknown,
  ): Promise<void> {
    const [only] = batch;
    if (only === undefined) return;
    if (batch.length > 1) {
      for (const each of batch) await record(partition, state, [each], each.fence);
      return;
    }
    const { address, delivery } = only.result;
    const ids = { account_id: address.accountId, delivery_id: delivery.id };
    onError(error, { partition, ...ids, results: 1, code: "results_not_recorded" });
    forget(batch);
    options.onDropped(only.endpoint);
  }

  /** @throws PlanError if the rows of the batch cannot be made */
  async function planBatch(batch: readonly EndpointResult[]): Promise<Plan> {
    const endpoints = new Set(batch.map(({ endpoint }) => endpoint));
    await readTexts([...endpoints].filter(({ texts }) => texts === undefined));
    await readFailures(
      new Set(batch.filter(({ result }) => hasFailed(result)).map(({ endpoint }) => endpoint)),
    );
    const guards = new Map<string, WebhookGuard>();
    for (const { endpoint, result } of batch) {
      const { accountId } = endpoint.address;
      const isGone = result.outcome.type === "attempted" && result.outcome.attempt.status === 410;
      if (isGone && !guards.has(accountId)) guards.set(accountId, await readWebhookGuard(store, accountId));
    }
    const { recordChange } = options;
    const plan = tryToPlan(batch, { retries: options, guards, now: clock.now(), recordChange });
    const ended = plan.endpoints.flatMap(({ endpoint: { address }, deliveries }) =>
      deliveries.map((delivery) => ({ accountId: address.accountId, delivery })),
    );
    const moves = await moveEvents(store, ended, (error, { accountId, id }) =>
      onError(error, { account_id: accountId, delivery_id: id, code: "resent_delivery_unreadable" }),
    );
    const counted = toLedgerMutations([...plan.counted, ...moves.counted]);
    const once = plan.happensOnce ? [] : await readQueueCheck(batch);
    return {
      ...plan,
      checks: [...plan.checks, ...moves.checks, ...once],
      mutations: [...plan.mutations, ...moves.mutations, ...counted],
    };
  }

  /** A commit that changes no webhook may arrive late, after it was repeated. It must not count again. */
  async function readQueueCheck([first]: readonly EndpointResult[]): Promise<readonly Check[]> {
    if (first === undefined) return [];
    const key = queueKeyOf(first.result);
    const value = await store.get(key);
    return value === undefined ? [] : [{ key, value }];
  }

  async function readTexts(endpoints: readonly Endpoint[]): Promise<void> {
    if (endpoints.length === 0) return;
    const texts = await store.getMany(
      endpoints.flatMap(({ address }) => [keys.webhook(address), keys.webhookHealth(address)]),
    );
    endpoints.forEach((endpoint, index) => {
      const [webhook, health] = texts.slice(index * 2);
      endpoint.texts = { webhook, health };
    });
  }

  /** Reads the issues and the failed deliveries. Most webhooks never fail, so these rows are read only then. */
  async function readFailures(failing: ReadonlySet<Endpoint>): Promise<void> {
    const unknown = [...failing].filter(({ texts }) => texts !== undefined && texts.issues === undefined);
    if (unknown.length === 0) return;
    const read = await store.getMany(
      unknown.flatMap(({ address }) => [keys.issues(address), keys.failedDeliveries(address)]),
    );
    unknown.forEach((endpoint, index) => {
      const [issues, failed] = read.slice(index * 2);
      if (endpoint.texts !== undefined)
        endpoint.texts = { ...endpoint.texts, issues: { text: issues }, failed: { text: failed } };
    });
  }

  function finish(state: PartitionState, batch: readonly EndpointResult[], plan: Plan | "lost"): void {
    forget(batch);
    if (plan === "lost") return options.onLost(batch);
    state.isFailing = false;
    for (const { endpoint, texts, notices, unreadable } of plan.endpoints) {
      endpoint.texts = texts;
      const { accountId, webhookId } = endpoint.address;
      if (unreadable !== undefined)
        onError(unreadable, {
          account_id: accountId,
          webhook_id: webhookId,
          code: "webhook_counters_unreadable",
        });
      notices.forEach(notify);
    }
    plan.endpoints.forEach(options.onRecorded);
  }

  function forget(batch: readonly EndpointResult[]): void {
    unrecorded -= batch.length;
    for (const { endpoint } of batch) endpoint.unrecorded -= 1;
  }

  function notify(notice: WebhookNotice): void {
    try {
      options.onNotice(notice);
    } catch (error) {
      const { accountId, webhookId, type } = notice;
      onError(error, { account_id: accountId, webhook_id: webhookId, notice: type, code: "notice_failed" });
    }
  }

  return {
    add(result: EndpointResult): void {
      const { partition } = result.endpoint;
      const state = partitions.get(partition) ?? {
        waiting: [],
        oldestEndedAt: result.result.endedAt,
        running: undefined,
        isFailing: false,
      };
      partitions.set(partition, state);
      state.waiting.push(result);
      result.endpoint.unrecorded += 1;
      unrecorded += 1;
      state.running ??= run(partition, state);
    },
    /** Results that are not recorded, lost or dropped yet. */
    unrecorded: (): number => unrecorded,
    /** How long the oldest of these results has waited. 0 without one. */
    delayMs(): number {
      const now = clock.now();
      let oldest = now;
      for (const { oldestEndedAt } of partitions.values()) oldest = Math.min(oldest, oldestEndedAt);
      return now - oldest;
    },
    /** Whether no attempt may start in this partition: the store fails, or too many results wait. */
    isBlocked(partition: string): boolean {
      const state = partitions.get(partition);
      return state !== undefined && (state.isFailing || state.waiting.length >= maximumWaiting);
    },
    /** Stops retrying. What is not recorded by now is made again by the next lease holder. */
    stop: (): void => void (isStopped = true),
    /** Resolves when everything added so far in the partition is recorded or lost. */
    async drained(partition: string): Promise<void> {
      while (partitions.has(partition)) await partitions.get(partition)?.running;
    },
  };
}

/** @throws PlanError */
function tryToPlan(...input: Parameters<typeof toPlan>): Plan {
  try {
    return toPlan(...input);
  } catch (cause) {
    throw new PlanError("the rows of the results cannot be made", { cause });
  }
}

function toResult({ result }: EndpointResult): Result {
  return result;
}

class PlanError extends Error {
  override readonly name = "PlanError";
}

/** An error that the same batch causes again, unlike a failure of the storage. */
function isAboutContent(error: unknown): boolean {
  if (error instanceof StorageError)
    return error.code === "value_too_large" || error.code === "invalid_value";
  return error instanceof PlanError;
}
