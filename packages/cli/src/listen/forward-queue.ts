export interface ForwardQueue {
  /**
   * Starts the task as soon as fewer than the limit are running. Tasks start in order.
   *
   * @returns a promise that resolves when another task has a place to wait
   */
  add(task: () => Promise<void>): Promise<void>;
  /** True while there is no place to wait. */
  readonly isFull: boolean;
  /** Resolves when no task is running or waiting. */
  finished(): Promise<void>;
}

export interface QueueOptions {
  /** Tasks that run at once. */
  readonly running: number;
  /** Tasks that wait, before `add` makes its caller wait. */
  readonly waiting: number;
}

/**
 * Runs a limited number of tasks at once. A task must not reject. A caller that awaits `add` never has more than
 * `running + waiting` tasks in memory.
 *
 * @example await createQueue({ running: 8, waiting: 100 }).add(task)
 */
export function createQueue(limits: QueueOptions): ForwardQueue {
  const waiting: (() => Promise<void>)[] = [];
  let idle: (() => void)[] = [];
  let blocked: (() => void)[] = [];
  let running = 0;
  const isFull = (): boolean => waiting.length >= limits.waiting;
  const start = (): void => {
    while (running < limits.running) {
      const task = waiting.shift();
      if (task === undefined) break;
      running += 1;
      void task().finally(() => {
        running -= 1;
        start();
      });
    }
    if (!isFull()) {
      for (const resolve of blocked) resolve();
      blocked = [];
    }
    if (running > 0) return;
    for (const resolve of idle) resolve();
    idle = [];
  };
  return {
    add(task) {
      waiting.push(task);
      start();
      return isFull()
        ? new Promise((resolve) => {
            blocked.push(resolve);
          })
        : Promise.resolve();
    },
    get isFull() {
      return isFull();
    },
    finished: () =>
      new Promise((resolve) => {
        idle.push(resolve);
        start();
      }),
  };
}
