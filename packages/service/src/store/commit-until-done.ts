import { HookwrightError } from "@hookwright/domain";
import { partitionOf, StorageError } from "@hookwright/storage";
import type { Commit, CommitResult, Key, Store } from "@hookwright/storage";

export interface Attempted<Result> {
  readonly commit: Commit;
  readonly result: Result;
}

/** The maximum time in the queue. It keeps a slow store from collecting requests whose clients have given up. */
const maximumWaitMs = 10_000;
const maximumConflicts = 50;

/**
 * Optimistic concurrency control: `prepare` reads rows and builds a commit with checks. On a conflict both are repeated. A result
 * without a commit is returned directly.
 *
 * Callers in this process with a conflict on the same key retry one after the other. Otherwise n parallel callers would need up to
 * n attempts each.
 *
 * @throws HookwrightError `internal_error` (503) after 50 conflicts in a row, or ten seconds in the queue
 */
export async function commitUntilDone<Result>(
  store: Store,
  partition: string,
  prepare: () => Promise<Attempted<Result> | { readonly result: Result }>,
): Promise<Result> {
  const tryOnce = async (): Promise<{ readonly result: Result } | { readonly failed: Key }> => {
    const prepared = await prepare();
    if (!("commit" in prepared)) return prepared;
    return toOutcome(store.commit(partition, prepared.commit), prepared.result);
  };
  const first = await tryOnce();
  if ("result" in first) return first.result;
  const queuedAt = performance.now();
  return runInQueue(store, first.failed, async () => {
    const isLate = performance.now() - queuedAt > maximumWaitMs;
    for (let conflicts = 1; conflicts < maximumConflicts && !isLate; conflicts++) {
      const tried = await tryOnce();
      if ("result" in tried) return tried.result;
    }
    throw new HookwrightError("internal_error", "Too many concurrent changes of this resource. Try again.", {
      status: 503,
      retryAfterSeconds: 1,
    });
  });
}

/** Does not hold the commit: thousands may wait for the disk. */
async function toOutcome<Result>(
  committing: Promise<CommitResult>,
  result: Result,
): Promise<{ readonly result: Result } | { readonly failed: Key }> {
  const committed = await committing;
  return committed.ok ? { result } : committed;
}

/** The last task in the queue of each key. Keys without tasks have no entry. */
const queues = new WeakMap<Store, Map<string, Promise<unknown>>>();

async function runInQueue<Result>(store: Store, key: Key, task: () => Promise<Result>): Promise<Result> {
  let lastTasks = queues.get(store);
  if (lastTasks === undefined) queues.set(store, (lastTasks = new Map()));
  const mapKey = JSON.stringify(key);
  const own = (lastTasks.get(mapKey) ?? Promise.resolve()).then(task, task);
  lastTasks.set(mapKey, own);
  try {
    return await own;
  } finally {
    if (lastTasks.get(mapKey) === own) lastTasks.delete(mapKey);
  }
}

interface Rescanning {
  readonly worker: { rescan(accountId: string): void };
}

/** {@link commitUntilDone} for a commit that creates deliveries. */
export function commitDeliveries<Result>(
  { store, worker }: Rescanning & { readonly store: Store },
  accountId: string,
  prepare: Parameters<typeof commitUntilDone<Result>>[2],
): Promise<Result> {
  const committing = commitUntilDone(store, partitionOf(accountId), prepare);
  return rescanIfUnknown({ worker }, accountId, committing);
}

/**
 * Makes the worker look for deliveries if the outcome of the commit is unknown. The caller got an error, so nobody offers them, and
 * publishing the same event again creates none.
 */
export async function rescanIfUnknown<Result>(
  { worker }: Rescanning,
  accountId: string,
  committing: Promise<Result>,
): Promise<Result> {
  try {
    return await committing;
  } catch (error) {
    if (error instanceof StorageError && error.code === "unavailable") worker.rescan(accountId);
    throw error;
  }
}
