/** How many expired entries one sweep removes at most: a few hundred microseconds of work. */
export const sweepWindow = 500;

/** A timer that is to wait longer fires at once: an interval without end would be a sweep in every millisecond. */
const longestDelayMs = 2 ** 31 - 1;

/** Repeats a sweep in the background. */
export interface SweepTimer {
  /** Makes sure that a sweep is planned. */
  start(): void;
  stop(): void;
}

/**
 * @param options.sweep removes one window of expired entries and answers how to go on: `more` at once (a window was full),
 *   `later` after the interval, `stop` until the next start
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
    if (next !== "stop") plan(next === "more" ? 1 : intervalMs);
  }

  function plan(delayMs: number): void {
    if (stopped || timer !== undefined) return;
    timer = setTimeout(() => void run(), Math.min(delayMs, longestDelayMs));
    // Cleaning up is no reason to keep a process alive.
    if (typeof timer === "object") timer.unref();
  }

  return {
    start: () => plan(intervalMs),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
