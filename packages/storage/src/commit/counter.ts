import { StorageError } from "../storage-error.ts";
import type { Key } from "../port.ts";

const integerText = /^(?:0|-?[1-9]\d{0,15})$/;

/** Why a `sum` is rejected. */
export type SumErrorKind = "not_an_integer" | "out_of_range";

/** Returns the new text of a counter, or the error of the sum. An absent key counts as 0. */
export function addToCounter(
  text: string | undefined,
  amount: number,
): { readonly text: string } | { readonly error: SumErrorKind } {
  const current = text === undefined ? 0 : Number(text);
  if (text !== undefined && !(integerText.test(text) && Number.isSafeInteger(current)))
    return { error: "not_an_integer" };
  const total = current + amount;
  return Number.isSafeInteger(total) ? { text: String(total) } : { error: "out_of_range" };
}

export function sumError(kind: SumErrorKind, key: Key): StorageError {
  const name = key.map((part) => String(part)).join("/");
  return new StorageError(
    "invalid_sum",
    kind === "not_an_integer"
      ? `The text of the key ${name} is not a decimal integer, so the store cannot add to it. Use another key, or set the key to an integer first.`
      : `The sum of the key ${name} would exceed the safe integers (±2^53 − 1). Set the counter to a smaller number first.`,
  );
}
