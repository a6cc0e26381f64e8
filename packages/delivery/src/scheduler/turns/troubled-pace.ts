import type { Clock } from "../../time/clock.ts";

/** How fast troubled webhooks take their turns, all of them together. */
export interface TroubledPace {
  /** Whether one more may begin now. */
  mayBegin(): boolean;
  begin(): void;
  /** Calls back once more may begin; one callback at a time. */
  whenMore(callback: () => void): void;
}

/**
 * Attempts at endpoints that fail come to nothing, and with a backlog of them there is always another one to make: unpaced
 * they take the whole processor, and whoever does well waits for it. What the others wait grows
 * with the pace: docs/decisions/troubled-webhooks.md has the series.
 */
const turnsEachMs = 0.5;
/** After a quiet time so many begin at once: a few endpoints that fail are tried without delay. */
const mostSaved = 256;
const pauseMs = 4;

export function createTroubledPace(clock: Clock): TroubledPace {
  let saved = mostSaved;
  let countedAt = clock.now();
  let isWaiting = false;

  function count(): void {
    const now = clock.now();
    saved = Math.min(mostSaved, saved + Math.max(0, now - countedAt) * turnsEachMs);
    countedAt = now;
  }

  return {
    mayBegin() {
      if (saved < 1) count();
      return saved >= 1;
    },
    begin() {
      count();
      saved -= 1;
    },
    whenMore(callback) {
      if (isWaiting) return;
      isWaiting = true;
      clock.schedule(() => {
        isWaiting = false;
        callback();
      }, pauseMs);
    },
  };
}
