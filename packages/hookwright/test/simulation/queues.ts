import { keys } from "@hookwright/delivery";
import type { Key } from "@hookwright/storage";

/** Where the deliveries of an account wait for their turn. */
export function queuesOf(accountId: string): readonly Key[] {
  const [partition] = keys.deliveries(accountId);
  return ["fresh", "retry"].map((queue): Key => [partition, queue, accountId]);
}
