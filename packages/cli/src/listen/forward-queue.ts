export interface ForwardQueue {
  /** Starts the task as soon as fewer than the limit are running. Tasks start in order. */
  add(task: () => Promise<void>): void;
  /** Resolves when no task is running or waiting. */
  finished(): Promise<void>;
}

/** Runs a limited number of tasks at once. A task must not reject. */
export function createQueue(limit: number): ForwardQueue {
  const waiting: (() => Promise<void>)[] = [];
  let idle: (() => void)[] = [];
  let running = 0;
  const start = (): void => {
    while (running < limit) {
      const task = waiting.shift();
      if (task === undefined) break;
      running += 1;
      void task().finally(() => {
        running -= 1;
        start();
      });
    }
    if (running > 0) return;
    for (const resolve of idle) resolve();
    idle = [];
  };
  return {
    add(task) {
      waiting.push(task);
      start();
    },
    finished: () =>
      new Promise((resolve) => {
        idle.push(resolve);
        start();
      }),
  };
}
