import { HookwrightError } from "@hookwright/domain";
import type { Commit, Store } from "@hookwright/storage";

export interface Attempted<Result> {
  readonly commit: Commit;
  readonly result: Result;
}

/** Conflicts mean that somebody else got on: with so many in a row something is wrong, and the caller may come again. */
const maximumRounds = 50;

/**
 * Optimistic concurrency: `prepare` reads and decides, the commit checks that what it read still holds, and where it
 * does not, all of it happens again. A prepared answer without a commit is given as it is.
 *
 * @throws HookwrightError `internal_error` (503) after 50 conflicts in a row
 */
export async function commitUntilDone<Result>(
  store: Store,
  partition: string,
  prepare: () => Promise<Attempted<Result> | { readonly result: Result }>,
): Promise<Result> {
  for (let round = 0; round < maximumRounds; round++) {
    const prepared = await prepare();
    if (!("commit" in prepared)) return prepared.result;
    const { ok } = await store.commit(partition, prepared.commit);
    if (ok) return prepared.result;
  }
  throw new HookwrightError("internal_error", "too many others are changing this at once: try again", {
    status: 503,
    retryAfterSeconds: 1,
  });
}
