/**
 * Keeps the result of a read for calls within a time. Concurrent calls share one read. A read that fails is not kept.
 *
 * @param keptMs in milliseconds
 */
export function keepResult<Value>(
  { now, keptMs }: { readonly now: () => number; readonly keptMs: number },
  read: () => Promise<Value>,
): () => Promise<Value> {
  let kept: { readonly at: number; readonly value: Promise<Value> } | undefined;
  return () => {
    // The clock may have stepped back.
    if (kept !== undefined && Math.abs(now() - kept.at) < keptMs) return kept.value;
    const reading = { at: now(), value: read() };
    kept = reading;
    reading.value.catch(() => {
      // The caller gets the error. The next call reads again.
      if (kept === reading) kept = undefined;
    });
    return reading.value;
  };
}
