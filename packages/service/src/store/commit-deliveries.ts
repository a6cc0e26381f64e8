import { partitionOf, StorageError } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { commitUntilDone } from "./commit-until-done.ts";

/** Told of an account whose deliveries may be in the storage, or come to be, and are offered by nobody. */
interface Doubting {
  readonly scheduler: { doubt(accountId: string): void };
}

/** As {@link commitUntilDone}, of a commit in the account's partition that makes deliveries. */
export function commitDeliveries<Result>(
  { store, scheduler }: Doubting & { readonly store: Store },
  accountId: string,
  prepare: Parameters<typeof commitUntilDone<Result>>[2],
): Promise<Result> {
  const committing = commitUntilDone(store, partitionOf(accountId), prepare);
  return doubtIfUnanswered({ scheduler }, accountId, committing);
}

/**
 * Where the storage has failed in the middle the deliveries may be there, and whoever asked was told of a fault: nobody offers them to the
 * scheduler, and when the same event is published again there are none to be made.
 */
export async function doubtIfUnanswered<Answer>(
  { scheduler }: Doubting,
  accountId: string,
  committing: Promise<Answer>,
): Promise<Answer> {
  try {
    return await committing;
  } catch (error) {
    if (error instanceof StorageError && error.code === "unavailable") scheduler.doubt(accountId);
    throw error;
  }
}
