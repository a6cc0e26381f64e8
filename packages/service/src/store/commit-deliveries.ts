import { partitionOf, StorageError } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { commitUntilDone } from "./commit-until-done.ts";

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
