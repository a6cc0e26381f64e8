import type { OnError } from "@hookwright/domain";
import { isSameKey } from "@hookwright/storage";
import type { Check, CommitResult, Store } from "@hookwright/storage";
import type { Clock } from "../../time/clock.ts";
import type { Finished } from "../turns/finished.ts";
import { createBatchQueue } from "./batch-queue.ts";
import { fateOfBatch } from "./fate-of-batch.ts";
import { createKnownWebhooks } from "./known-webhooks.ts";
import { attemptedLanes, planBatch } from "./plan-batch.ts";
import type { Announcement, Recorded } from "./plan-batch.ts";
import type { RecordingMoments } from "./recording-moments.ts";
import type { WebhookNotice } from "./webhook-in-batch.ts";

export interface RecorderOptions {
  readonly store: Store;
  readonly partition: string;
  /** The lease check; undefined once the partition is lost: then nothing may be written any more. */
  readonly fence: () => Check | undefined;
  readonly retryDelaysSeconds: readonly number[];
  readonly random: () => number;
  readonly clock: Clock;
  /** Of all partitions together. */
  readonly moments: RecordingMoments;
  readonly onRecorded: (recorded: readonly Recorded[]) => void;
  /** The lease is gone: whoever holds it now sends these again. `fence` is the one they were begun under. */
  readonly onLost: (finished: readonly Finished[], fence: Check | undefined) => void;
  readonly onNotice: (notice: WebhookNotice) => void;
  readonly onFault: OnError;
}

export interface Recorder {
  add(finished: Finished): void;
  /** Whether the store has failed, and is tried again. */
  isHeldUp(): boolean;
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

/** A batch on its way. Its rows are the store's alone: kept until a remote one answers, they would burden the collector. */
interface Committing {
  readonly announcement: Announcement;
  readonly committed: Promise<CommitResult>;
}

/** While the store makes one commit durable, the next is on its way to it: neither waits for the other. */
const mostUnderWay = 2;
/** Between two tries of a commit while the store is away. */
const faultPauseMs = 500;

/**
 * Makes finished turns of one partition durable. Those that end while commits are under way share the next one, so a
 * webhook's counters are written once for many attempts. A commit builds on what the one before it will have left of those
 * webhooks, and checks it: where that one is refused, so is this, and both are prepared anew in their order. No later one
 * overtakes them: thirty failures in a row are something else with an acceptance behind the twenty-ninth.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const { store, partition, fence, retryDelaysSeconds, random, clock, onFault, onLost } = options;
  const queue = createBatchQueue(options.moments);
  const known = createKnownWebhooks(store);
  /** The fence under which all of the queue was begun. */
  let queueFence: Check | undefined;
  let running: Promise<void> | undefined;
  /** Batches that are being recorded, the oldest first. */
  const underWay: Promise<void>[] = [];
  /** Refusals and faults so far. */
  let disturbances = 0;
  /** How many of them nobody stands in the way of any more. */
  let settledDisturbances = 0;
  /** Who waits until all of it is durable. */
  let drainers = 0;
  /** Of the batches under way, those that the store has failed to record. */
  let heldUp = 0;

  /** Begins to record what is in the queue; it ends when the queue is empty, with the last batches still under way. */
  async function run(): Promise<void> {
    // Answers that arrive in one turn of the event loop end up in one commit.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (queue.size() > 0) {
      if (underWay.length >= mostUnderWay) await underWay[0];
      if (drainers === 0) await queue.untilDue();
      while (settledDisturbances < disturbances && underWay.length > 0) await underWay[0];
      settledDisturbances = disturbances;
      if (queue.size() === 0) break;
      const batch = queue.take();
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

  /**
   * A fault of the store must not lose a result: it is kept and tried again until it is written or the lease is lost. A lease
   * that was lost and won back is another: somebody else may have sent and recorded the same meanwhile.
   */
  async function recordUntilDone(batch: readonly Finished[], options: RecordingOptions): Promise<void> {
    let isHeldUp = false;
    const onHeldUp = (): void => {
      if (!isHeldUp) heldUp += 1;
      isHeldUp = true;
    };
    await recordOrLose(batch, { ...options, onHeldUp });
    if (isHeldUp) heldUp -= 1;
  }

  async function recordOrLose(
    batch: readonly Finished[],
    options: RecordingOptions & { readonly onHeldUp: () => void },
  ): Promise<void> {
    const { check, before, onPlanned, onHeldUp } = options;
    /** Its commit failed with an error, so it may have happened all the same. */
    let doubtful: Announcement | undefined;
    for (;;) {
      // What is in doubt is looked up though the lease be gone: what was recorded has to be told of.
      if (check === undefined || (doubtful === undefined && fence() !== check)) return lose(batch, check);
      let announcement: Announcement | undefined;
      try {
        const checks = [check];
        if (doubtful !== undefined) {
          const fate = await fateOfBatch(store, { batch, lease: check });
          if (fate.type === "recorded") return announce(doubtful);
          if (fate.type === "superseded") return lose(batch, check);
          if (fence() !== check) return lose(batch, check);
          // The commit in doubt may be on its way still: it and this one cannot both happen.
          checks.push(fate.check);
        }
        const committing = await commit(batch, checks, before);
        announcement = committing.announcement;
        onPlanned();
        const result = await committing.committed;
        if (result.ok) return announce(announcement);
        if (isSameKey(result.failed, check.key)) return lose(batch, check);
        // Somebody changed a webhook meanwhile: everything is read again.
        disturb();
      } catch (error) {
        doubtful = announcement ?? doubtful;
        onHeldUp();
        disturb();
        onFault(error, { partition, results: batch.length, code: "results_not_recorded" });
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

  async function commit(
    batch: readonly Finished[],
    checks: readonly Check[],
    before: Promise<void> | undefined,
  ): Promise<Committing> {
    const lanes = attemptedLanes(batch);
    const already = disturbances;
    let texts = await known.textsOf(lanes);
    // While it read, one before it turned out to be prepared anew, and so to come first all the same.
    if (before !== undefined && disturbances > already) {
      await before;
      texts = await known.textsOf(lanes);
    }
    const now = clock.now();
    const plan = planBatch(batch, { lanes, texts, now, retryDelaysSeconds, random });
    for (const { webhookId, texts: left } of plan.left) known.remember(webhookId, left);
    for (const { lane, error } of plan.unreadable)
      onFault(error, {
        account_id: lane.accountId,
        webhook_id: lane.webhookId,
        code: "webhook_counters_unreadable",
      });
    const { announcement, mutations } = plan;
    const committed = store.commit(partition, { checks: [...checks, ...plan.checks], mutations });
    return { announcement, committed };
  }

  function announce({ notices, recorded }: Announcement): void {
    for (const notice of notices) {
      try {
        options.onNotice(notice);
      } catch (error) {
        const { accountId, webhookId, type } = notice;
        onFault(error, {
          account_id: accountId,
          webhook_id: webhookId,
          notice: type,
          code: "notice_failed",
        });
      }
    }
    options.onRecorded(recorded);
  }

  return {
    add(finished) {
      if (fence() !== queueFence) {
        known.forget();
        if (queue.size() > 0) onLost(queue.clear(), queueFence);
        queueFence = fence();
      }
      queue.add(finished);
      running ??= run();
    },
    isHeldUp: () => heldUp > 0,
    async drained() {
      drainers += 1;
      queue.hurry();
      while (running !== undefined || underWay.length > 0) await (running ?? underWay[0]);
      drainers -= 1;
    },
  };
}
