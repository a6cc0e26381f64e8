import { queueTables } from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Key } from "@hookwright/storage";

/** The queues of an account, and its running jobs. */
export function queuesOf(accountId: string): readonly Key[] {
  return [...queueTables, "recovery-running"].map((table): Key => [partitionOf(accountId), table, accountId]);
}
