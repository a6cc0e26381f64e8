import type { Check, CommitResult, Mutation, Store } from "@hookwright/storage";
import type { LaneAddress } from "../../rows/keys.ts";
import type { DeliveryRow } from "../../rows/delivery-row.ts";
import type { Clock } from "../../time/clock.ts";
import { quickAnswerMs } from "../lanes/earned-room.ts";
import { queueKeyOf } from "../turns/finished.ts";
import type { Finished } from "../turns/finished.ts";
import { createKnownWebhooks } from "./known-webhooks.ts";
import { settle } from "./settle.ts";
import { openWebhook } from "./webhook-in-batch.ts";
import type { WebhookInBatch, WebhookNotice } from "./webhook-in-batch.ts";

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

interface RecordingOptions {
  /** The fence under which the batch was begun. */
  readonly check: Check | undefined;
  /** The batch before it. */
  readonly before: Promise<void> | undefined;
  /** Its first commit is put together, and the next batch may build on it; or it ended without one. */
  readonly onPlanned: () => void;
}

/** What a batch of turns comes to. */
interface Plan {
  readonly recorded: readonly Recorded[];
  readonly notices: readonly WebhookNotice[];
}

/** A plan on its way. Its rows are the store's alone: kept until a remote one answers, they would burden the collector. */
interface Committing {
  readonly plan: Plan;
  readonly committed: Promise<CommitResult>;
}

/** As many turns share one commit at most: large enough to spread the cost, small enough to stay quick. */
const maximumBatch = 256;
/** While the store makes one commit durable, the next is on its way to it: neither waits for the other. */
const mostUnderWay = 2;
/** Between two tries of a commit while the store is away. */
const faultPauseMs = 500;
/**
 * What has time is recorded once in so long, that of all partitions at the same moment: a thousand failing or slow endpoints
 * must not have the disk flush hundreds of times a second while others publish. Nor may much come together, for a publish waits
 * as long as its flush takes: at 100 ms that was 10 ms, at 25 it is three.
 */
const longestPauseMs = 25;
/** Where the next try is nearer than a quarter of a second, of its delay. */
const pauseShare = 0.1;

/**
 * Makes finished turns of one partition durable. Those that end while commits are under way share the next one, so a
 * webhook's counters are written once for many attempts. A commit builds on what the one before it will have left of those
 * webhooks, and checks it: where that one is refused, so is this, and both are prepared anew in their order. No later one
 * overtakes them: thirty failures in a row are something else with an acceptance behind the twenty-ninth.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const { store, partition, fence, clock, onFault, onLost } = options;
  const pauseMs = Math.min(
    longestPauseMs,
    ...options.retryDelaysSeconds.map((seconds) => seconds * 1_000 * pauseShare),
  );
  const known = createKnownWebhooks(store);
  let queue: Finished[] = [];
  /** The fence under which all of the queue was begun. */
  let queueFence: Check | undefined;
  let running: Promise<void> | undefined;
  /** Batches that are being recorded, the oldest first. */
  const underWay: Promise<void>[] = [];
  /** Refusals and faults so far. */
  let disturbances = 0;
  /** How many of them nobody stands in the way of any more. */
  let settledDisturbances = 0;
  let recordedAt = Number.NEGATIVE_INFINITY;
  /** Whether something in the queue has no time. */
  let isUrgent = false;
  /** Who waits until all of it is durable. */
  let drainers = 0;
  let hurry = (): void => {};

  /** Begins to record what is in the queue; it ends when the queue is empty, with the last batches still under way. */
  async function run(): Promise<void> {
    // Answers that arrive in one turn of the event loop end up in one commit.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      if (underWay.length >= mostUnderWay) await underWay[0];
      await untilDue();
      while (settledDisturbances < disturbances && underWay.length > 0) await underWay[0];
      settledDisturbances = disturbances;
      if (queue.length === 0) break;
      const batch = queue.length > maximumBatch ? queue.splice(0, maximumBatch) : queue;
      if (batch === queue) queue = [];
      isUrgent = queue.some(isPressing);
      recordedAt = clock.now();
      await new Promise<void>((onPlanned) => {
        const recording = recordUntilDone(batch, { check: queueFence, before: underWay.at(-1), onPlanned });
        underWay.push(recording);
        void recording.then(() => {
          underWay.splice(underWay.indexOf(recording), 1);
          onPlanned();
        });
      });
    }
    running = undefined;
  }

  function untilDue(): Promise<void> {
    const now = clock.now();
    const isAnotherPeriod = Math.floor(now / pauseMs) !== Math.floor(recordedAt / pauseMs);
    if (isAnotherPeriod || isUrgent || drainers > 0 || queue.length >= maximumBatch) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = clock.schedule(resolve, pauseMs - (now % pauseMs));
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
  async function recordUntilDone(batch: readonly Finished[], options: RecordingOptions): Promise<void> {
    const { check, before, onPlanned } = options;
    /** Its commit failed with an error, so it may have happened all the same. */
    let doubtful: Plan | undefined;
    for (;;) {
      if (check === undefined || fence() !== check) return lose(batch, check);
      let plan: Plan | undefined;
      try {
        if (doubtful !== undefined && (await hasHappened(batch))) return announce(doubtful);
        const committing = await commit(batch, check, before);
        plan = committing.plan;
        onPlanned();
        const result = await committing.committed;
        if (result.ok) return announce(plan);
        if (isSameKey(result.failed, check.key)) return lose(batch, check);
        // Somebody changed a webhook meanwhile: everything is read again.
        disturb();
      } catch (error) {
        doubtful = plan ?? doubtful;
        disturb();
        onFault(error);
        await new Promise<void>((resolve) => clock.schedule(resolve, faultPauseMs));
      }
      await before;
    }
  }

  function disturb(): void {
    disturbances += 1;
    known.forget();
  }

  function lose(finished: readonly Finished[], under: Check | undefined): void {
    known.forget();
    onLost(finished, under);
  }

  /** A batch is recorded as a whole, and only the holder of the lease takes entries out of a queue. */
  async function hasHappened([first]: readonly Finished[]): Promise<boolean> {
    return first !== undefined && (await store.get(queueKeyOf(first))) === undefined;
  }

  async function commit(
    batch: readonly Finished[],
    check: Check,
    before: Promise<void> | undefined,
  ): Promise<Committing> {
    const lanes = new Map<string, LaneAddress>();
    for (const { lane, outcome } of batch) if (outcome.type === "attempted") lanes.set(lane.webhookId, lane);
    const already = disturbances;
    let texts = await known.textsOf([...lanes.values()]);
    // While it read, one before it turned out to be prepared anew, and so to come first all the same.
    if (before !== undefined && disturbances > already) {
      await before;
      texts = await known.textsOf([...lanes.values()]);
    }
    const webhooks = new Map<string, WebhookInBatch>();
    for (const lane of lanes.values()) {
      const its = texts[webhooks.size];
      if (its !== undefined) webhooks.set(lane.webhookId, openWebhook(lane, its));
    }
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
      const changes = webhook.changes();
      mutations.push(...changes.mutations);
      known.remember(webhook.lane.webhookId, changes.texts);
    }
    const notices = [...webhooks.values()].flatMap((webhook) => webhook.notices);
    return { plan: { recorded, notices }, committed: store.commit(partition, { checks, mutations }) };
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
        known.forget();
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
      while (running !== undefined || underWay.length > 0) await (running ?? underWay[0]);
      drainers -= 1;
    },
  };
}

/**
 * Not recorded, an accepted delivery would be sent again after a crash; one that is gone or cancelled, others wait for. A failure
 * is only tried again, and an endpoint that took a second to accept has been under way forty times as long as it waits here.
 */
function isPressing({ outcome }: Finished): boolean {
  if (outcome.type === "cancelled") return true;
  const { status, error, duration_ms } = outcome.attempt;
  return status === 410 || (error === null && duration_ms <= quickAnswerMs);
}

function isSameKey(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
