import { StorageError } from "../storage-error.ts";

/** Still there at `now`? An entry is gone at the very millisecond of its expiry. Both are ms since the epoch. */
export function isExpired(expiresAt: number, now: number): boolean {
  return expiresAt <= now;
}

/** @throws {StorageError} `invalid_argument` */
export function checkExpiry(expiresAt: number): void {
  if (!Number.isFinite(expiresAt)) {
    throw new StorageError(
      "invalid_argument",
      `expiresAt is a time in milliseconds since the epoch, not ${expiresAt}: leave it out for "never".`,
    );
  }
}

/** @throws {StorageError} `invalid_argument` */
export function checkAmount(amount: number): void {
  if (!Number.isSafeInteger(amount)) {
    throw new StorageError("invalid_argument", `The amount of a sum is a safe integer, not ${amount}.`);
  }
}

/**
 * When an expired entry is looked at for removal: its expiry, rounded up by at most 1/32 of the time it has left (and never
 * less than a second).
 *
 * The rounding makes a key that is set again and again with a fresh expiry (a counter, a lease) take a few dozen places in the
 * index of expiries instead of one for each write, without reading the entry that is overwritten.
 */
export function toSweepTime(expiresAt: number, now: number): number {
  const step = 2 ** Math.ceil(Math.log2(Math.max(1_000, (expiresAt - now) / 64)));
  return Math.min(Math.max(0, Math.ceil(expiresAt / step) * step), Number.MAX_SAFE_INTEGER);
}
