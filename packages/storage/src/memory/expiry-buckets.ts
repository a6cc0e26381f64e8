import { toSweepTime } from "../commit/expiry.ts";

/**
 * Groups keys by the time at which a sweep must check them. A key may be in several buckets or already be
 * deleted.
 */
export interface ExpiryBuckets {
  add(key: string, expiresAt: number, now: number): void;
  /** Removes and returns at most `limit` keys that are due. */
  take(now: number, limit: number): string[];
  isEmpty(): boolean;
}

export function createExpiryBuckets(): ExpiryBuckets {
  // There are only a few dozen buckets, so scanning all costs less than sorting them.
  const buckets = new Map<number, Set<string>>();

  return {
    add(key, expiresAt, now) {
      const time = toSweepTime(expiresAt, now);
      const bucket = buckets.get(time);
      if (bucket === undefined) buckets.set(time, new Set([key]));
      else bucket.add(key);
    },
    take(now, limit) {
      const taken: string[] = [];
      for (const [time, bucket] of buckets) {
        if (time > now) continue;
        for (const key of bucket) {
          if (taken.length === limit) return taken;
          taken.push(key);
          bucket.delete(key);
        }
        buckets.delete(time);
      }
      return taken;
    },
    isEmpty: () => buckets.size === 0,
  };
}
