import type { Check, Commit, Mutation, Store } from "@hookwright/storage";
import type { LaneAddress } from "../rows/keys.ts";
import type { DeliveryRow } from "../rows/delivery-row.ts";
import type { Clock } from "./clock.ts";
import { queueKeyOf } from "./finished.ts";
import type { Finished } from "./finished.ts";
import { settle } from "./settle.ts";
import { readWebhooks } from "./webhooks-of-batch.ts";
import type { WebhookNotice } from "./webhooks-of-batch.ts";

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
  readonly clock: Clock;
  readonly onRecorded: (recorded: readonly Recorded[]) => void;
  /** The lease is gone: whoever holds it now sends these again. `fence` is the one they were begun under. */
  readonly onLost: (finished: readonly Finished[], fence: Check | undefined) => void;
  readonly onNotice: (notice: WebhookNotice) => void;
  readonly onFault: (error: unknown) => void;
}

export interface Recorder {
  add(finished: Finished): void;
  /** Resolves when everything added so far is durable or lost. */
  drained(): Promise<void>;
}

/** What one commit says of a batch of turns. */
interface Plan {
  readonly commit: Commit;
  readonly recorded: readonly Recorded[];
  readonly notices: readonly WebhookNotice[];
}

/** As many turns share one commit at most: large enough to spread the cost, small enough to stay quick. */
const maximumBatch = 256;
/** Between two tries of a commit while the store is away. */
const faultPauseMs = 500;
/**
 * Failures alone are recorded once in so long, those of all partitions at the same moment: their next try is seconds away, and a
 * crash that forgets one only tries it again. A thousand failing endpoints must not have the disk flush hundreds of times a second
 * while others publish.
 */
const longestFailuresPauseMs = 100;
/** Where the next try is nearer than a second, of its delay. */
const failuresPauseShare = 0.1;

/**
 * Makes finished turns of one partition durable, one commit after the other. Those that end while a commit is under
 * way share the next one, so a webhook's counters are read and written once for many attempts.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const { store, partition, fence, clock, onFault, onLost } = options;
  const failuresPauseMs = Math.min(
    longestFailuresPauseMs,
    ...options.retryDelaysSeconds.map((seconds) => seconds * 1_000 * failuresPauseShare),
  );
  let queue: Finished[] = [];
  /** The fence under which all of the queue was begun. */
  let queueFence: Check | undefined;
  let running: Promise<void> | undefined;
  let recordedAt = Number.NEGATIVE_INFINITY;
  /** Whether something in the queue has no time. */
  let isUrgent = false;
  /** Who waits until all of it is durable. */
  let drainers = 0;
  let hurry = (): void => {};

  async function run(): Promise<void> {
    // Answers that arrive in one turn of the event loop end up in one commit.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      await untilDue();
      if (queue.length === 0) break;
      const batch = queue.length > maximumBatch ? queue.splice(0, maximumBatch) : queue;
      if (batch === queue) queue = [];
      isUrgent = queue.some(isPressing);
      recordedAt = clock.now();
      await recordUntilDone(batch, queueFence);
    }
    running = undefined;
  }

  function untilDue(): Promise<void> {
    const now = clock.now();
    const isAnotherPeriod = Math.floor(now / failuresPauseMs) !== Math.floor(recordedAt / failuresPauseMs);
    if (isAnotherPeriod || isUrgent || drainers > 0 || queue.length >= maximumBatch) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = clock.schedule(resolve, failuresPauseMs - (now % failuresPauseMs));
      hurry = () => {
        cancel();
        resolve();
      };
    });
  }

  /**
   * A fault of the store must not lose a result: it is kept and tried again until it is written or the lease is lost. A lease
   * that was lost and won back is another: somebody else may have sent and recorded the same meanwhile.
   */
  async function recordUntilDone(batch: readonly Finished[], check: Check | undefined): Promise<void> {
    /** Its commit failed with an error, so it may have happened all the same. */
    let doubtful: Plan | undefined;
    for (;;) {
      if (check === undefined || fence() !== check) return onLost(batch, check);
      let plan: Plan | undefined;
      try {
        if (doubtful !== undefined && (await hasHappened(batch))) return announce(doubtful);
        plan = await prepare(batch, check);
        const result = await store.commit(partition, plan.commit);
        if (result.ok) return announce(plan);
        if (isSameKey(result.failed, check.key)) return onLost(batch, check);
        // Somebody changed a webhook meanwhile: everything is read again.
      } catch (error) {
        doubtful = plan ?? doubtful;
        onFault(error);
        await new Promise<void>((resolve) => clock.schedule(resolve, faultPauseMs));
      }
    }
  }

  /** A batch is recorded as a whole, and only the holder of the lease takes entries out of a queue. */
  async function hasHappened([first]: readonly Finished[]): Promise<boolean> {
    return first !== undefined && (await store.get(queueKeyOf(first))) === undefined;
  }

  async function prepare(batch: readonly Finished[], check: Check): Promise<Plan> {
    const lanes = new Map<string, LaneAddress>();
    for (const { lane, outcome } of batch) if (outcome.type === "attempted") lanes.set(lane.webhookId, lane);
    const webhooks = await readWebhooks(store, [...lanes.values()]);
    const now = clock.now();
    const checks: Check[] = [check];
    const mutations: Mutation[] = [];
    const recorded: Recorded[] = [];
    for (const finished of batch) {
      const webhook = webhooks.get(finished.lane.webhookId);
      webhook?.count(finished, now);
      const { retryDelaysSeconds, random } = options;
      const webhookRemoved = webhook?.removed ?? false;
      const settled = settle(finished, { retryDelaysSeconds, random, webhookRemoved });
      mutations.push(...settled.mutations);
      recorded.push({ finished, delivery: settled.delivery });
    }
    for (const webhook of webhooks.values()) {
      checks.push(...webhook.checks());
      mutations.push(...webhook.mutations());
    }
    const notices = [...webhooks.values()].flatMap((webhook) => webhook.notices);
    return { commit: { checks, mutations }, recorded, notices };
  }

  function announce({ notices, recorded }: Plan): void {
    for (const notice of notices) {
      try {
        options.onNotice(notice);
      } catch (error) {
        onFault(error);
      }
    }
    options.onRecorded(recorded);
  }

  return {
    add(finished) {
      if (fence() !== queueFence) {
        if (queue.length > 0) onLost(queue.splice(0), queueFence);
        queueFence = fence();
      }
      queue.push(finished);
      if (isPressing(finished)) isUrgent = true;
      if (isUrgent || queue.length >= maximumBatch) hurry();
      running ??= run();
    },
    async drained() {
      drainers += 1;
      hurry();
      while (running !== undefined) await running;
      drainers -= 1;
    },
  };
}

/** Not recorded, an accepted delivery would be sent again after a crash; one that is gone or cancelled, others wait for. */
function isPressing({ outcome }: Finished): boolean {
  return outcome.type === "cancelled" || outcome.attempt.error === null || outcome.attempt.status === 410;
}

function isSameKey(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
