/**
 * Runs something until it is done or the signal aborts; the listener is gone in any case. What is left behind by an abort
 * may fail unheard.
 */
export async function untilAborted(signal: AbortSignal | undefined, run: () => unknown): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([aborted, run()]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
