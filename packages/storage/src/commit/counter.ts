import { StorageError } from "../storage-error.ts";
import type { Key } from "../port.ts";
import { isExpired } from "./expiry.ts";

const integerText = /^(?:0|-?[1-9]\d{0,15})$/;

/** The text of a key and its expiry (ms since the epoch). */
export interface Held {
  readonly text: string;
  readonly expiresAt: number | undefined;
}

/** Why a `sum` is rejected. */
export type SumErrorKind = "not_an_integer" | "out_of_range";

/**
 * Returns the new state of a counter, or the error of the sum. An absent or expired key counts as 0.
 *
 * @param sum without an expiry, the counter keeps its own
 */
export function addToCounter(
  held: Held | undefined,
  sum: { readonly amount: number; readonly expiresAt: number | undefined },
  now: number,
): Held | { readonly error: SumErrorKind } {
  const found = held?.expiresAt !== undefined && isExpired(held.expiresAt, now) ? undefined : held;
  const { text = "0", expiresAt } = found ?? {};
  const current = Number(text);
  if (!integerText.test(text) || !Number.isSafeInteger(current)) return { error: "not_an_integer" };
  const total = current + sum.amount;
  if (!Number.isSafeInteger(total)) return { error: "out_of_range" };
  return { text: String(total), expiresAt: sum.expiresAt ?? expiresAt };
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
