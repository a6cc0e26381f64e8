/** Undici reaches a request's signal by a weak reference: a request that nobody holds would be collected, and its abort never told. */
const waiting = new Set<Request>();

/** Stays open until the client gives up: what a program meets that waits for a server which hangs. */
export function neverAnswer(request: Request): Promise<never> {
  const { signal } = request;
  return new Promise((_, reject) => {
    const giveUp = (): void => {
      waiting.delete(request);
      reject(signal.reason);
    };
    if (signal.aborted) return giveUp();
    waiting.add(request);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
