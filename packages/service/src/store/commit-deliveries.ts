import { partitionOf, StorageError } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "./commit-until-done.ts";

/** As {@link commitUntilDone}, of a commit in the account's partition that makes deliveries. */
export function commitDeliveries<Result>(
  context: ServiceContext,
  accountId: string,
  prepare: Parameters<typeof commitUntilDone<Result>>[2],
): Promise<Result> {
  const committing = commitUntilDone(context.store, partitionOf(accountId), prepare);
  return doubtIfUnanswered(context, accountId, committing);
}

/**
 * Where the storage has failed in the middle the deliveries may be there, and whoever asked was told of a fault: nobody offers them to the scheduler,
 * and when the same event is published again there are none to be made.
 */
export async function doubtIfUnanswered<Answer>(
  { scheduler }: Pick<ServiceContext, "scheduler">,
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
