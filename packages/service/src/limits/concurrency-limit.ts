/** Runs at most so many tasks at once. The others wait in the order in which they came. */
export function createConcurrencyLimit(
  maximum: number,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= maximum) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The place passes to the next task.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
