/** Why the work was stopped. */
export type StopReason = "timeout" | "aborted";

export interface Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs work until it is done, the time is over, or the caller's signal aborts. Does not wait for work that
 * ignores its signal. Always clears the timer and the listener.
 *
 * The time-out of ofetch is not used: it ends with the headers, so a body could stall forever, and it does
 * not work together with a signal.
 */
export async function withDeadline<Result>(
  { timeoutMs, signal }: Deadline,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly stoppedBy: StopReason }> {
  if (signal?.aborted === true) return { stoppedBy: "aborted" };
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<{ readonly stoppedBy: StopReason }>();
  const stop = (stoppedBy: StopReason): void => {
    // Resolve first, so that the error of the abort is ignored.
    resolve({ stoppedBy });
    controller.abort();
  };
  const onAbort = (): void => stop("aborted");
  const timer = setTimeout(stop, timeoutMs, "timeout");
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, run(controller.signal).then((result) => ({ result }))]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
