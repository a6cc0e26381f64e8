/** Resolves after so many milliseconds, or once the signal aborts; neither timer nor listener stays behind. */
export function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal?.aborted === true) return Promise.resolve();
  const finish = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", finish);
    resolve();
  };
  const timer = setTimeout(finish, delayMs);
  signal?.addEventListener("abort", finish, { once: true });
  return promise;
}
