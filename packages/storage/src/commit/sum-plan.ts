import { addToCounter, type SumFault } from "./counter.ts";
import { isExpired } from "./expiry.ts";

/** What a key holds: its text, and when it expires (ms since the epoch). */
export interface Held {
  readonly text: string;
  readonly expiresAt: number | undefined;
}

/**
 * Works out the sums of a commit before anything is written, so that one which cannot be done leaves nothing half-written.
 * It is told, in order, every mutation of the keys with sums, because a sum sees what the commit did to its key before.
 */
export interface SumPlan {
  /** Whether the commit has a sum of that key. */
  has(key: string): boolean;
  set(key: string, held: Held): void;
  delete(key: string): void;
  sum(key: string, amount: number, expiresAt: number | undefined): Held | { readonly fault: SumFault };
}

/** Up to so many texts are compared with one sooner than V8 interns that, as it does for every text that a `Set` is asked about. */
const mostCompared = 8;

/**
 * @param summed the encoded keys of the sums of the commit
 * @param read what the store holds under an encoded key; what has expired at `now` counts as absent
 */
export function createSumPlan(
  summed: readonly string[],
  read: (key: string) => Held | undefined,
  now: number,
): SumPlan {
  const changed = new Map<string, Held | undefined>();
  const distinct = summed.length > mostCompared ? new Set(summed) : undefined;
  return {
    has: (key) => distinct?.has(key) ?? summed.includes(key),
    set: (key, held) => void changed.set(key, held),
    delete: (key) => void changed.set(key, undefined),
    sum(key, amount, expiresAt) {
      const found = changed.has(key) ? changed.get(key) : read(key);
      const current = found?.expiresAt !== undefined && isExpired(found.expiresAt, now) ? undefined : found;
      const result = addToCounter(current?.text, amount);
      if ("fault" in result) return result;
      const held = { text: result.text, expiresAt: expiresAt ?? current?.expiresAt };
      changed.set(key, held);
      return held;
    },
  };
}
