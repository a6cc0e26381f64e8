/**
 * Calls `act` for each value, with at most `concurrency` calls at once. After an error no further value is
 * started.
 */
export async function mapInParallel<Value>(
  values: Iterable<Value>,
  concurrency: number,
  act: (value: Value) => Promise<void>,
): Promise<void> {
  // The tasks share one iterator, so values are created lazily.
  const source = values[Symbol.iterator]();
  let failed = false;
  const runTask = async (): Promise<void> => {
    for (let next = source.next(); !failed && next.done !== true; next = source.next()) {
      try {
        await act(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const tasks = await Promise.allSettled(Array.from({ length: concurrency }, runTask));
  for (const each of tasks) if (each.status === "rejected") throw each.reason;
}
