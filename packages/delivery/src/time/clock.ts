/** Time as the scheduler sees it. Injected, so that half an hour of retries runs in milliseconds in a test. */
export interface Clock {
  /** Milliseconds since the epoch. Must not jump: see {@link systemClock}. */
  now(): number;
  /** Calls back after `delayMs`; the answer cancels. Must not keep the process alive. */
  schedule(callback: () => void, delayMs: number): () => void;
}

const { timeOrigin } = performance;

/**
 * The wall clock as it was when the process started, driven on by the monotonic one: a clock that is set
 * forward cannot make every retry due at once, and one that is set back cannot stall them.
 */
export const systemClock: Clock = {
  now: () => Math.round(timeOrigin + performance.now()),
  schedule(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
