/** Calls `act` for each value, at most so many at once. What one of them throws ends the others before their next value. */
export async function mapInParallel<Value>(
  values: Iterable<Value>,
  atOnce: number,
  act: (value: Value) => Promise<void>,
): Promise<void> {
  // One iterator for all lanes: a value is only made when a lane is free for it.
  const source = values[Symbol.iterator]();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (let next = source.next(); !failed && next.done !== true; next = source.next()) {
      try {
        await act(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  for (const each of lanes) if (each.status === "rejected") throw each.reason;
}
