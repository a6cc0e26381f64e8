/**
 * The largest number of entries that one sweep checks. It blocks the event loop for less than a millisecond.
 */
export const sweepWindow = 500;

/** `setTimeout` fires at once if the delay is longer. */
const maxDelayMs = 2 ** 31 - 1;

/** Repeats a sweep in the background. */
export interface SweepTimer {
  /** Schedules a sweep, unless one is scheduled. */
  start(): void;
  stop(): void;
}

/**
 * @param options.sweep removes up to {@link sweepWindow} expired entries. Returns when the next sweep is due:
 *   `more`: at once, `later`: after the interval, `stop`: after the next `start`
 */
export function createSweepTimer(options: {
  readonly sweep: () => Promise<"more" | "later" | "stop">;
  readonly intervalMs: number;
}): SweepTimer {
  const { sweep, intervalMs } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  async function run(): Promise<void> {
    const next = await sweep();
    timer = undefined;
    if (next !== "stop") schedule(next === "more" ? 1 : intervalMs);
  }

  function schedule(delayMs: number): void {
    if (stopped || timer !== undefined) return;
    timer = setTimeout(() => void run(), Math.min(delayMs, maxDelayMs));
    // A pending sweep must not keep the process alive.
    if (typeof timer === "object") timer.unref();
  }

  return {
    start: () => schedule(intervalMs),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
