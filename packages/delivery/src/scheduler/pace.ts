import type { Clock } from "./clock.ts";

/** So many turns in a time, and no more. */
export interface Pace {
  /** Whether one more may begin now. */
  mayBegin(): boolean;
  begin(): void;
  /** Calls back once more may begin; one callback at a time. */
  whenMore(callback: () => void): void;
}

export interface PaceOptions {
  readonly clock: Clock;
  readonly turnsEachMs: number;
}

/** After a quiet time so many begin at once: a few endpoints that fail are tried without delay. */
const mostSaved = 256;
const pauseMs = 4;

export function createPace({ clock, turnsEachMs }: PaceOptions): Pace {
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
