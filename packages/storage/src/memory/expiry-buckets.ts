import { toSweepTime } from "../commit/expiry.ts";

/** Which keys to look at when, to remove what has expired. A key may stand in several buckets, or be gone already. */
export interface ExpiryBuckets {
  add(key: string, expiresAt: number, now: number): void;
  /** Takes out at most `limit` keys whose time has come. */
  take(now: number, limit: number): string[];
  isEmpty(): boolean;
}

export function createExpiryBuckets(): ExpiryBuckets {
  // A few dozen buckets for each length of life, so looking at all of them is cheaper than keeping them sorted.
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
