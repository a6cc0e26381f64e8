import { addToCounter, type SumErrorKind } from "./counter.ts";
import { isExpired } from "./expiry.ts";

/** The text of a key and its expiry (ms since the epoch). */
export interface Held {
  readonly text: string;
  readonly expiresAt: number | undefined;
}

/**
 * Computes the sums of a commit before the first write, so that an invalid sum leaves nothing half-written.
 * The caller passes every mutation of the summed keys in order, because a sum sees the earlier mutations of
 * its key.
 */
export interface SumPlan {
  /** Returns whether the commit sums this key. */
  has(key: string): boolean;
  set(key: string, held: Held): void;
  delete(key: string): void;
  sum(key: string, amount: number, expiresAt: number | undefined): Held | { readonly error: SumErrorKind };
}

/** Up to this number, comparing strings costs less than a `Set`, for which V8 interns each string. */
const maxCompared = 8;

/**
 * @param summed the encoded keys that the commit sums
 * @param read returns what is stored under an encoded key. Entries that have expired at `now` count as absent
 */
export function createSumPlan(
  summed: readonly string[],
  read: (key: string) => Held | undefined,
  now: number,
): SumPlan {
  const changed = new Map<string, Held | undefined>();
  const distinct = summed.length > maxCompared ? new Set(summed) : undefined;
  return {
    has: (key) => distinct?.has(key) ?? summed.includes(key),
    set: (key, held) => void changed.set(key, held),
    delete: (key) => void changed.set(key, undefined),
    sum(key, amount, expiresAt) {
      const found = changed.has(key) ? changed.get(key) : read(key);
      const current = found?.expiresAt !== undefined && isExpired(found.expiresAt, now) ? undefined : found;
      const result = addToCounter(current?.text, amount);
      if ("error" in result) return result;
      const held = { text: result.text, expiresAt: expiresAt ?? current?.expiresAt };
      changed.set(key, held);
      return held;
    },
  };
}
