import type { Clock } from "../../src/time/clock.ts";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export interface FakeClock extends Clock {
  /** Lets time pass: every timer that falls due runs at its own time, and what it starts comes to rest before the next. */
  advance(ms: number): Promise<void>;
  /** Time jumps without a timer running: what a process that was stopped sees when it goes on. */
  jump(ms: number): void;
  readonly timers: number;
}

/** @param atRest resolves when whatever a timer has started has come to rest */
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

/** The event loop goes round a few times: a memory store and a fake transport need no more to come to rest. */
export async function rest(rounds = 6): Promise<void> {
  for (let round = 0; round < rounds; round++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Goes round the event loop until something has come true. */
export async function until(condition: () => boolean, rounds = 200_000): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    if (condition()) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  throw new Error(`never came true: ${condition.toString()}`);
}
