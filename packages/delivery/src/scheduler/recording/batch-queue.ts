import type { Clock } from "../../time/clock.ts";
import { quickAnswerMs } from "../lanes/earned-room.ts";
import type { Finished } from "../turns/finished.ts";

/** Finished turns that wait for their commit: which of them share one, and when it is due. */
export interface BatchQueue {
  readonly length: number;
  add(finished: Finished): void;
  /** Resolves when the next batch is due: at once where something in the queue has no time, or enough of it waits. */
  untilDue(): Promise<void>;
  /** Whoever waits for the next batch to be due waits no longer. */
  hurry(): void;
  /** The next batch, the oldest first. */
  take(): readonly Finished[];
  /** All of it, where it is not to be recorded any more. */
  clear(): readonly Finished[];
}

export interface BatchQueueOptions {
  readonly clock: Clock;
  readonly retryDelaysSeconds: readonly number[];
}

/** As many turns share one commit at most: large enough to spread the cost, small enough to stay quick. */
const maximumBatch = 256;
/**
 * What has time is recorded once in so long, that of all partitions at the same moment: a thousand failing or slow endpoints
 * must not have the disk flush hundreds of times a second while others publish. Nor may much come together, for a publish waits
 * as long as its flush takes: at 100 ms that was 10 ms, at 25 it is three.
 */
const longestPauseMs = 25;
/** Where the next try is nearer than a quarter of a second, of its delay. */
const pauseShare = 0.1;

export function createBatchQueue({ clock, retryDelaysSeconds }: BatchQueueOptions): BatchQueue {
  const pauseMs = Math.min(
    longestPauseMs,
    ...retryDelaysSeconds.map((seconds) => seconds * 1_000 * pauseShare),
  );
  let queue: Finished[] = [];
  /** Whether something in the queue has no time. */
  let isUrgent = false;
  let takenAt = Number.NEGATIVE_INFINITY;
  let endPause = (): void => {};

  return {
    get length() {
      return queue.length;
    },
    add(finished) {
      queue.push(finished);
      if (isPressing(finished)) isUrgent = true;
      if (isUrgent || queue.length >= maximumBatch) endPause();
    },
    untilDue() {
      const now = clock.now();
      const isAnotherPeriod = Math.floor(now / pauseMs) !== Math.floor(takenAt / pauseMs);
      if (isAnotherPeriod || isUrgent || queue.length >= maximumBatch) return Promise.resolve();
      return new Promise((resolve) => {
        const cancel = clock.schedule(resolve, pauseMs - (now % pauseMs));
        endPause = () => {
          cancel();
          resolve();
        };
      });
    },
    hurry: () => endPause(),
    take() {
      const batch = queue.length > maximumBatch ? queue.splice(0, maximumBatch) : queue;
      if (batch === queue) queue = [];
      isUrgent = queue.some(isPressing);
      takenAt = clock.now();
      return batch;
    },
    clear: () => queue.splice(0),
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
