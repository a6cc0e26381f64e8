import type { Clock } from "../../src/clock.ts";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export interface FakeClock extends Clock {
  /** Lets time pass. Each timer runs at its due time, and its work ends before the next timer runs. */
  advance(ms: number): Promise<void>;
  /** Time jumps without running timers, as for a process that was paused. */
  jump(ms: number): void;
  readonly timers: number;
}

/** @param atRest resolves when the work of a timer has ended */
export function createFakeClock(atRest: () => Promise<void> = rest): FakeClock {
  let time = Date.UTC(2026, 10, 20, 9, 30);
  const timers = new Set<Timer>();

  function nextUntil(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers)
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }

  return {
    now: () => time,
    schedule(callback, delayMs) {
      const timer = { at: time + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = time + ms;
      await atRest();
      for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
        timers.delete(timer);
        time = Math.max(time, timer.at);
        timer.callback();
        await atRest();
      }
      time = end;
    },
    jump(ms) {
      time += ms;
    },
    get timers() {
      return timers.size;
    },
  };
}

/** Waits a few rounds of the event loop, which is enough for a memory store and a fake transport. */
export async function rest(rounds = 6): Promise<void> {
  for (let round = 0; round < rounds; round++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Waits until a condition is true. */
export async function until(condition: () => boolean, rounds = 200_000): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    if (condition()) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  throw new Error(`never true: ${condition.toString()}`);
}
