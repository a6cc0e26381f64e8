import type { Clock } from "../../time/clock.ts";

/**
 * When what has time is recorded: in all partitions at the same moments, so that one flush of the disk serves them all, and with
 * whatever is recorded at once anyway.
 */
export interface RecordingMoments {
  /**
   * Calls back at the next moment; the answer cancels. `undefined`, and nothing is called, where there has been none for a while: that
   * moment is now.
   */
  whenNext(callback: () => void): (() => void) | undefined;
  /** Something is recorded now: all who wait do the same, unless there was a moment a few milliseconds ago. */
  begin(): void;
}

/**
 * A thousand failing or slow endpoints must not have the disk flush hundreds of times a second while others publish. Nor may
 * much come together, for a publish waits as long as its flush takes: at 100 ms that was 10 ms, at 25 it is three.
 */
const longestPauseMs = 25;
/** Where the next try is nearer than a quarter of a second, of its delay. */
const pauseShare = 0.1;
/** Of a pause, the least between two moments: beside thousands that are recorded at once nobody else needs as many. */
const leastShare = 0.2;

export function createRecordingMoments({
  clock,
  retryDelaysSeconds,
}: {
  readonly clock: Clock;
  readonly retryDelaysSeconds: readonly number[];
}): RecordingMoments {
  const pauseMs = Math.min(
    longestPauseMs,
    ...retryDelaysSeconds.map((seconds) => seconds * 1_000 * pauseShare),
  );
  const waiting = new Set<() => void>();
  let latest = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | undefined;

  /** A clock of the host's own may be set back: then it was long ago. */
  function sinceLatest(): number {
    const since = clock.now() - latest;
    return since < 0 ? Number.POSITIVE_INFINITY : since;
  }

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = undefined;
  }

  function beginNow(): void {
    stopTimer();
    latest = clock.now();
    const called = [...waiting];
    waiting.clear();
    for (const callback of called) callback();
  }

  return {
    whenNext(callback) {
      const since = sinceLatest();
      if (since >= pauseMs) return undefined;
      waiting.add(callback);
      cancelTimer ??= clock.schedule(beginNow, pauseMs - since);
      return () => {
        waiting.delete(callback);
        if (waiting.size === 0) stopTimer();
      };
    },
    begin() {
      if (sinceLatest() >= pauseMs * leastShare) beginNow();
    },
  };
}
