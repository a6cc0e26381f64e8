/** Repeats a call until it succeeds. */
export async function untilSucceeds<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export async function timed(promise: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const start = performance.now();
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, ms: performance.now() - start };
}
