/** What may run and wait at once. */
export interface QueueLimits {
  /** @default no limit */
  readonly running?: number | undefined;
  /** @default no limit */
  readonly waiting?: number | undefined;
}

/** Why a task was not run: its queue is full, it has waited too long, or its signal was aborted. */
export type QueueRefusal = "full" | "late" | "aborted";

export interface FairQueueOptions {
  /** The limits of all tasks together, then of each first name of a party, then of each second name, and so on. */
  readonly levels: readonly [QueueLimits, ...QueueLimits[]];
  /** @default a task waits as long as it must */
  readonly maximumWaitMs?: number | undefined;
  /** The error for a task that was not run. @default an `Error` */
  readonly toError?: ((reason: QueueRefusal) => Error) | undefined;
}

export interface FairQueue {
  /**
   * Runs a task now or when it is its turn.
   *
   * @param party who asks, from the widest name to the narrowest, such as an account and one of its keys
   * @param signal called only if the task must wait
   * @throws the error of `toError` if the task was not run, and that of the task
   */
  run<Result>(
    party: readonly string[],
    task: () => Promise<Result>,
    signal?: (() => AbortSignal) | undefined,
  ): Promise<Result>;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (reason: QueueRefusal) => void;
}

/** All tasks, or those of one name. */
interface Group {
  running: number;
  waiting: number;
  /** By name. The group that was served last is the last one. */
  readonly groups: Map<string, Group>;
  /** The tasks that wait, if the name is the last of its party. */
  readonly queue: Waiting[];
}

/**
 * Runs a limited number of tasks at once. The others wait, and parties take turns: a party that asks often delays another party by one
 * task. Within a party, its next names take turns, and tasks of the last name run in order of arrival.
 *
 * A full queue refuses the newest task of the party that has most waiting, not a task of a party that has few.
 */
export function createFairQueue({
  levels,
  maximumWaitMs,
  toError = (reason) => new Error(`the task was not run: ${reason}`),
}: FairQueueOptions): FairQueue {
  const all = createGroup();

  /** The groups of a party, from all tasks to its last name. */
  function enter(party: readonly string[]): readonly Group[] {
    const path = [all];
    let group = all;
    for (const name of party) {
      const known = group.groups.get(name);
      const next = known ?? createGroup();
      if (known === undefined) group.groups.set(name, next);
      path.push(next);
      group = next;
    }
    return path;
  }

  function removeEmpty(party: readonly string[], path: readonly Group[]): void {
    for (let level = party.length; level > 0; level--) {
      const group = path[level];
      if (group === undefined || group.running > 0 || group.waiting > 0) return;
      path[level - 1]?.groups.delete(party[level - 1] ?? "");
    }
  }

  function mayRun(group: Group, level: number): boolean {
    return group.running < (levels[level]?.running ?? Number.POSITIVE_INFINITY);
  }

  /** Removes and returns the next task that may run. */
  function takeNext(group = all, level = 0): Waiting | undefined {
    if (group.waiting === 0 || !mayRun(group, level)) return undefined;
    const [first] = group.queue;
    if (first !== undefined) return first;
    for (const [name, inner] of group.groups) {
      const next = takeNext(inner, level + 1);
      if (next === undefined) continue;
      group.groups.delete(name);
      group.groups.set(name, inner);
      return next;
    }
    return undefined;
  }

  /** Makes the queue accept one more task. Returns false if that task must be refused. */
  function makePlace(path: readonly Group[]): boolean {
    // Of several full groups, only a place in the innermost is a place in all of them.
    const full = path.findLastIndex(
      (group, level) => group.waiting >= (levels[level]?.waiting ?? Number.POSITIVE_INFINITY),
    );
    if (full === -1) return true;
    for (let level = full + 1; level < path.length; level++) {
      const own = path[level];
      const largest = largestOf(path[level - 1]);
      if (largest === undefined || own === undefined || largest.waiting <= own.waiting + 1) continue;
      newestOf(largest)?.refuse("full");
      return true;
    }
    return false;
  }

  function wait(
    party: readonly string[],
    path: readonly Group[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const own = path.at(-1);
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        own?.queue.splice(own.queue.indexOf(waiting), 1);
        for (const group of path) group.waiting -= 1;
      };
      const waiting: Waiting = {
        start() {
          leave();
          for (const group of path) group.running += 1;
          resolve();
        },
        refuse(reason) {
          leave();
          removeEmpty(party, path);
          reject(toError(reason));
        },
      };
      const onAbort = (): void => waiting.refuse("aborted");
      const timer =
        maximumWaitMs === undefined ? undefined : setTimeout(() => waiting.refuse("late"), maximumWaitMs);
      signal?.addEventListener("abort", onAbort);
      own?.queue.push(waiting);
      for (const group of path) group.waiting += 1;
    });
  }

  async function enterWhenFree(
    party: readonly string[],
    path: readonly Group[],
    toSignal: (() => AbortSignal) | undefined,
  ): Promise<void> {
    const signal = toSignal?.();
    const reason = signal?.aborted === true ? "aborted" : makePlace(path) ? undefined : "full";
    if (reason === undefined) return wait(party, path, signal);
    removeEmpty(party, path);
    throw toError(reason);
  }

  /** Called in another turn of the event loop: other work runs, even if no task ever waits for anything. */
  function release(party: readonly string[], path: readonly Group[]): void {
    for (const group of path) group.running -= 1;
    removeEmpty(party, path);
    for (let next = takeNext(); next !== undefined; next = takeNext()) next.start();
  }

  return {
    async run(party, task, signal) {
      const path = enter(party);
      // Tasks that wait are those of parties or levels that may run no more, so this one passes none.
      if (path.every(mayRun)) for (const group of path) group.running += 1;
      else await enterWhenFree(party, path, signal);
      try {
        return await task();
      } finally {
        setImmediate(() => release(party, path));
      }
    },
  };
}

function createGroup(): Group {
  return { running: 0, waiting: 0, groups: new Map(), queue: [] };
}

/** The inner group that has most waiting. Among equal ones, the last. */
function largestOf(group: Group | undefined): Group | undefined {
  let largest: Group | undefined;
  for (const inner of group?.groups.values() ?? [])
    if (largest === undefined || inner.waiting >= largest.waiting) largest = inner;
  return largest;
}

/** The newest task of the largest inner group. */
function newestOf(group: Group): Waiting | undefined {
  const inner = largestOf(group);
  return inner === undefined ? group.queue.at(-1) : newestOf(inner);
}
