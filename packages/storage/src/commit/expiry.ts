import { StorageError } from "../storage-error.ts";

/**
 * Returns whether an entry has expired. It is absent from the millisecond of its expiry. Both times are in ms
 * since the epoch.
 */
export function isExpired(expiresAt: number, now: number): boolean {
  return expiresAt <= now;
}

/** @throws {StorageError} `invalid_argument` */
export function checkExpiry(expiresAt: number): void {
  if (!Number.isFinite(expiresAt)) {
    throw new StorageError(
      "invalid_argument",
      `expiresAt must be a time in milliseconds since the epoch, not ${expiresAt}. Omit it if the entry does not expire.`,
    );
  }
}

/** The expiry of a `set`, as the caller gave it. */
export interface GivenExpiry {
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
  readonly expiresInMs?: number | undefined;
}

/** @throws {StorageError} `invalid_argument` */
export function checkGivenExpiry({ expiresAt, expiresInMs }: GivenExpiry): void {
  if (expiresAt !== undefined) checkExpiry(expiresAt);
  if (expiresInMs === undefined) return;
  if (expiresAt !== undefined)
    throw new StorageError("invalid_argument", "Give either expiresAt or expiresInMs, not both.");
  if (!Number.isSafeInteger(expiresInMs) || expiresInMs < 1) {
    throw new StorageError(
      "invalid_argument",
      `expiresInMs must be a positive integer, not ${expiresInMs}. Omit it if the entry does not expire.`,
    );
  }
}

/** Returns the time of an expiry in ms since the epoch. `now` is the time of the store's clock. */
export function toExpiresAt({ expiresAt, expiresInMs }: GivenExpiry, now: number): number | undefined {
  return expiresInMs === undefined ? expiresAt : now + expiresInMs;
}

/** @throws {StorageError} `invalid_argument` */
export function checkAmount(amount: number): void {
  if (!Number.isSafeInteger(amount)) {
    throw new StorageError("invalid_argument", `The amount of a sum must be a safe integer, not ${amount}.`);
  }
}

/**
 * Returns the time at which a sweep checks an entry: its expiry, rounded up by at most 1/32 of the remaining
 * time (at least 1 s).
 *
 * The rounding keeps the expiry index small: a key that is often set with a new expiry needs few index
 * entries.
 */
export function toSweepTime(expiresAt: number, now: number): number {
  const step = 2 ** Math.ceil(Math.log2(Math.max(1_000, (expiresAt - now) / 64)));
  return Math.min(Math.max(0, Math.ceil(expiresAt / step) * step), Number.MAX_SAFE_INTEGER);
}
