import { checkAmount, checkExpiry, checkGivenExpiry } from "./expiry.ts";
import { wrongPartition } from "./refusals.ts";
import { checkText } from "./text.ts";
import type { Mutation } from "../port.ts";

/**
 * Validates a mutation, except the parts of its key.
 *
 * @throws {StorageError} `wrong_partition`, `invalid_value`, `value_too_large`, `invalid_argument`
 */
export function checkMutation(mutation: Mutation, partition: string): void {
  if (mutation.key[0] !== partition) throw wrongPartition(mutation.key, partition);
  if (mutation.type === "set") {
    checkText(mutation.value);
    checkGivenExpiry(mutation);
  } else if (mutation.type === "sum") {
    checkAmount(mutation.amount);
    if (mutation.expiresAt !== undefined) checkExpiry(mutation.expiresAt);
  }
}
