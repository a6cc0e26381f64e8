/** Why something was given up. */
export type GivenUp = "timeout" | "aborted";

export interface Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs something that gets a signal, until it is done, the time is over, or the caller's own signal aborts. Work that is
 * deaf to its signal is left behind; the timer and the listener are gone in any case.
 *
 * ofetch has a time-out of its own, which ends when the headers are here (a body may stall for ever behind it) and is not
 * applied at all beside a signal.
 */
export async function withDeadline<Result>(
  { timeoutMs, signal }: Deadline,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly givenUp: GivenUp }> {
  if (signal?.aborted === true) return { givenUp: "aborted" };
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<{ readonly givenUp: GivenUp }>();
  const giveUp = (givenUp: GivenUp): void => {
    // First, so that the failure which the abort causes comes second.
    resolve({ givenUp });
    controller.abort();
  };
  const onAbort = (): void => giveUp("aborted");
  const timer = setTimeout(giveUp, timeoutMs, "timeout");
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, run(controller.signal).then((result) => ({ result }))]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
