/** Time as the scheduler sees it. Injected, so that half an hour of retries runs in milliseconds in a test. */
export interface Clock {
  /** Milliseconds since the epoch. Must not jump: see {@link systemClock}. */
  now(): number;
  /** Calls back after `delayMs`. Returns a function that cancels it. Must not keep the process alive. */
  schedule(callback: () => void, delayMs: number): () => void;
}

const { timeOrigin } = performance;

/**
 * The wall clock at the start of the process, plus the monotonic clock. So setting the host clock forward does not make every
 * retry due at once, and setting it back does not delay them.
 */
export const systemClock: Clock = {
  now: () => Math.round(timeOrigin + performance.now()),
  schedule(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Whether `work` succeeds within that time. After that it continues, and its result is ignored. Its error is reported. */
export function endsWithin(
  work: Promise<unknown>,
  options: { readonly clock: Clock; readonly ms: number; readonly onFault: (error: unknown) => void },
): Promise<boolean> {
  const { clock, ms, onFault } = options;
  return new Promise((resolve) => {
    const cancel = clock.schedule(() => resolve(false), ms);
    const end = (succeeded: boolean): void => {
      cancel();
      resolve(succeeded);
    };
    work.then(
      () => end(true),
      (error: unknown) => {
        onFault(error);
        end(false);
      },
    );
  });
}
