/**
 * Keeps the requests alive. undici refers weakly to their signals, so a collected request would never see its
 * abort.
 */
const waiting = new Set<Request>();

/** Stays pending until the client aborts, like a server that hangs. */
export function neverRespond(request: Request): Promise<never> {
  const { signal } = request;
  return new Promise((_, reject) => {
    const rejectOnAbort = (): void => {
      waiting.delete(request);
      reject(signal.reason);
    };
    if (signal.aborted) return rejectOnAbort();
    waiting.add(request);
    signal.addEventListener("abort", rejectOnAbort, { once: true });
  });
}
