import type { Check, Mutation } from "@hookwright/storage";
import { keys } from "../storage/keys.ts";
import type { EndpointAddress } from "../storage/keys.ts";
import {
  countAll,
  expiryOf,
  mergeCounts,
  noCounts,
  parseOpenBuckets,
  renderBucket,
  renderOpenBuckets,
  seriesSteps,
  startOf,
} from "./bucket.ts";
import type { Bucket, CountedResult } from "./bucket.ts";

export interface SeriesChange {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** The row of open buckets after the commit. */
  readonly text: string | undefined;
  /** The row of open buckets could not be read. They start again at zero. */
  readonly unreadable: Error | undefined;
}

/**
 * Counts results of one webhook in its series. The open bucket of every step is in one row, which each commit replaces. A bucket that ends
 * gets a row of its own.
 *
 * @param text the row of open buckets
 * @param results in the order in which they ended
 */
export function countResults(
  address: EndpointAddress,
  text: string | undefined,
  results: readonly CountedResult[],
  { now }: { readonly now: number },
): SeriesChange {
  if (results.length === 0) return { checks: [], mutations: [], text, unreadable: undefined };
  const key = keys.openBuckets(address);
  const { buckets, unreadable } = readOpenBuckets(address, text);
  const ended: Mutation[] = [];
  // Results of the same minute are in the same bucket of every step.
  const byMinute = Map.groupBy(results, ({ at }) => startOf(at, seriesSteps[0]));
  const counted = Array.from(byMinute, ([minute, each]) => ({ minute, counts: countAll(each) }));
  const open = seriesSteps.map((step, index) => {
    let bucket = buckets[index];
    for (const { minute, counts } of counted) {
      const at = startOf(minute, step);
      if (bucket?.at !== at) {
        if (bucket !== undefined && expiryOf(bucket.at, step) > now)
          ended.push({
            type: "set",
            key: keys.bucket(address, step.seconds, bucket.at, bucket.part),
            value: renderBucket(bucket),
            expiresAt: expiryOf(bucket.at, step),
          });
        bucket = { at, part: (bucket?.part ?? -1) + 1, counts: noCounts };
      }
      bucket = { ...bucket, counts: mergeCounts(bucket.counts, counts) };
    }
    return bucket;
  });
  const opened = open.filter((bucket) => bucket !== undefined);
  const value = renderOpenBuckets(opened);
  const expiresAt = Math.max(...seriesSteps.map((step) => expiryOf(startOf(now, step), step)));
  return {
    checks: [{ key, value: text }],
    mutations: [...ended, { type: "set", key, value, expiresAt }],
    text: value,
    unreadable,
  };
}

function readOpenBuckets(
  { webhookId }: EndpointAddress,
  text: string | undefined,
): { readonly buckets: readonly Bucket[]; readonly unreadable: Error | undefined } {
  if (text === undefined) return { buckets: [], unreadable: undefined };
  try {
    return { buckets: parseOpenBuckets(text), unreadable: undefined };
  } catch (cause) {
    const message = `the series of webhook ${webhookId} cannot be read and starts again at zero`;
    return { buckets: [], unreadable: new Error(message, { cause }) };
  }
}
