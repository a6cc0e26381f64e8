import { HookwrightError } from "@hookwright/domain";
import type { Commit, Key, Store } from "@hookwright/storage";

export interface Attempted<Result> {
  readonly commit: Commit;
  readonly result: Result;
}

/** So long somebody waits for those before; a store that is slow must not gather requests that nobody waits for any more. */
const longestWaitMs = 10_000;
/** Conflicts mean that somebody else got on: with so many in a row something is wrong, and the caller may come again. */
const maximumRounds = 50;

/**
 * Optimistic concurrency: `prepare` reads and decides, the commit checks that what it read still holds, and where it
 * does not, all of it happens again. A prepared answer without a commit is given as it is.
 *
 * Those of this process that were refused for one key go on one after the other. Otherwise a hundred that want to change it
 * would read it side by side, one of them would win, and the last would have come a hundred times.
 *
 * @throws HookwrightError `internal_error` (503) after 50 conflicts in a row, or ten seconds in line
 */
export async function commitUntilDone<Result>(
  store: Store,
  partition: string,
  prepare: () => Promise<Attempted<Result> | { readonly result: Result }>,
): Promise<Result> {
  const tryOnce = async (): Promise<{ readonly result: Result } | { readonly failed: Key }> => {
    const prepared = await prepare();
    if (!("commit" in prepared)) return prepared;
    const committed = await store.commit(partition, prepared.commit);
    return committed.ok ? prepared : committed;
  };
  const first = await tryOnce();
  if ("result" in first) return first.result;
  const refusedAt = performance.now();
  return inTurn(store, first.failed, async () => {
    const isLate = performance.now() - refusedAt > longestWaitMs;
    for (let round = 1; round < maximumRounds && !isLate; round++) {
      const tried = await tryOnce();
      if ("result" in tried) return tried.result;
    }
    throw new HookwrightError("internal_error", "too many others are changing this at once: try again", {
      status: 503,
      retryAfterSeconds: 1,
    });
  });
}

/** The last of those who wait, by key; keys that nobody contends for are not kept. */
const lines = new WeakMap<Store, Map<string, Promise<unknown>>>();

async function inTurn<Result>(store: Store, key: Key, work: () => Promise<Result>): Promise<Result> {
  let line = lines.get(store);
  if (line === undefined) lines.set(store, (line = new Map()));
  const name = JSON.stringify(key);
  const mine = (line.get(name) ?? Promise.resolve()).then(work, work);
  line.set(name, mine);
  try {
    return await mine;
  } finally {
    if (line.get(name) === mine) line.delete(name);
  }
}
