import { StorageError } from "../storage-error.ts";
import type { Key } from "../port.ts";

const integerText = /^(?:0|-?[1-9]\d{0,15})$/;

/** Why a `sum` cannot be done. */
export type SumFault = "not_an_integer" | "out_of_range";

/** What a `sum` leaves under its key: the new text, or why it is refused. An absent key counts as 0. */
export function addToCounter(
  text: string | undefined,
  amount: number,
): { readonly text: string } | { readonly fault: SumFault } {
  const current = text === undefined ? 0 : Number(text);
  if (text !== undefined && !(integerText.test(text) && Number.isSafeInteger(current)))
    return { fault: "not_an_integer" };
  const total = current + amount;
  return Number.isSafeInteger(total) ? { text: String(total) } : { fault: "out_of_range" };
}

export function sumError(fault: SumFault, key: Key): StorageError {
  const name = key.map((part) => String(part)).join("/");
  return new StorageError(
    "invalid_sum",
    fault === "not_an_integer"
      ? `The text under ${name} is not a decimal integer, so nothing can be added to it: use another key for the counter, or set it first.`
      : `The sum under ${name} would leave the safe integers (±2^53 − 1): set the counter to a smaller number first.`,
  );
}
