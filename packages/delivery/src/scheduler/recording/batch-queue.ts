import { quickAnswerMs } from "../lanes/earned-room.ts";
import type { Finished } from "../turns/finished.ts";
import type { RecordingMoments } from "./recording-moments.ts";

/** Finished turns that wait for their commit: which of them share one, and when it is due. */
export interface BatchQueue {
  size(): number;
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

/** As many turns share one commit at most: large enough to spread the cost, small enough to stay quick. */
const maximumBatch = 256;

export function createBatchQueue(moments: RecordingMoments): BatchQueue {
  let queue: Finished[] = [];
  /** Whether something in the queue has no time. */
  let isUrgent = false;
  let endPause = (): void => {};

  return {
    size: () => queue.length,
    add(finished) {
      queue.push(finished);
      if (isPressing(finished)) isUrgent = true;
      if (isUrgent || queue.length >= maximumBatch) endPause();
    },
    untilDue() {
      if (isUrgent || queue.length >= maximumBatch) return Promise.resolve();
      return new Promise((resolve) => {
        const cancel = moments.whenNext(resolve);
        if (cancel === undefined) return resolve();
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
      moments.begin();
      return batch;
    },
    clear: () => queue.splice(0),
  };
}

/**
 * Not recorded, an accepted delivery would be sent again after a crash; one that is gone or cancelled, others wait for. A failure
 * is only tried again, and an endpoint that took a second to accept has been under way forty times as long as it waits here. What
 * one that fails accepts in between goes with its failures: a thousand of those would have the disk flush for each.
 */
function isPressing({ outcome, standing }: Finished): boolean {
  if (outcome.type === "cancelled") return true;
  const { status, error, duration_ms } = outcome.attempt;
  if (status === 410) return true;
  return (
    error === null && standing !== "failing" && standing !== "recovering" && duration_ms <= quickAnswerMs
  );
}
