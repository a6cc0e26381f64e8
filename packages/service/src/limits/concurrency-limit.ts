/** Runs at most `maximum` tasks at once. The others wait in order of arrival. */
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
      // The next task takes over this slot, so `running` does not change.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
