import type { Entry, Key, Store } from "@hookwright/storage";
import { keys } from "../storage/keys.ts";
import { mergeCounts, noCounts, parseBucket, parseOpenBuckets, seriesSteps, startOf } from "./bucket.ts";
import type { Bucket, SeriesCounts, SeriesStep, StepSeconds } from "./bucket.ts";

export interface SeriesQuery {
  readonly accountId: string;
  /** @default all webhooks with traffic, also removed ones */
  readonly webhookIds?: readonly string[] | undefined;
  readonly stepSeconds: StepSeconds;
  /** The number of buckets. The last one contains `now`. */
  readonly length: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface SeriesPoint {
  /** The beginning of the bucket, in milliseconds. */
  readonly at: number;
  readonly counts: SeriesCounts;
}

const pageSize = 1_000;

/**
 * Reads series, oldest bucket first, with a point for every bucket.
 *
 * @returns the sum of all webhooks, and the series of each webhook that was asked for or has traffic
 */
export async function readSeries(
  store: Store,
  query: SeriesQuery,
): Promise<{
  readonly all: readonly SeriesPoint[];
  readonly byWebhook: ReadonlyMap<string, readonly SeriesPoint[]>;
}> {
  const { accountId, webhookIds, stepSeconds, length, now } = query;
  const index = seriesSteps.findIndex(({ seconds }) => seconds === stepSeconds);
  const step: SeriesStep | undefined = seriesSteps[index];
  if (step === undefined) throw new RangeError(`there is no series with a step of ${stepSeconds} s`);
  const from = startOf(now, step) - (length - 1) * step.seconds * 1_000;
  // In this order: a bucket that ends between the two reads is found twice, but never missed.
  const open = await readOpen(store, accountId, webhookIds);
  const found = new Map(webhookIds?.map((webhookId) => [webhookId, new Map<string, Bucket>()]));
  const keep = (webhookId: string, bucket: Bucket): void => {
    const buckets = found.get(webhookId) ?? new Map<string, Bucket>();
    found.set(webhookId, buckets.set(`${bucket.at} ${bucket.part}`, bucket));
  };
  for (const [webhookId, text] of open) {
    const bucket = parseOpenBuckets(text)[index];
    if (bucket !== undefined) keep(webhookId, bucket);
  }
  for await (const { key, value } of readEnded(store, { accountId, webhookIds, step, from }))
    keep(String(key.at(-3)), parseBucket(value));
  const toPoints = (buckets: readonly Bucket[]): SeriesPoint[] => {
    const points = new Map<number, SeriesCounts>();
    for (let place = 0; place < length; place++) points.set(from + place * step.seconds * 1_000, noCounts);
    for (const { at, counts } of buckets) {
      const before = points.get(at);
      if (before !== undefined) points.set(at, mergeCounts(before, counts));
    }
    return Array.from(points, ([at, counts]) => ({ at, counts }));
  };
  const lists = Array.from(found, ([webhookId, buckets]) => [webhookId, [...buckets.values()]] as const);
  return {
    all: toPoints(lists.flatMap(([, buckets]) => buckets)),
    byWebhook: new Map(lists.map(([webhookId, buckets]) => [webhookId, toPoints(buckets)])),
  };
}

/** The sum of a series. */
export function sumSeries(points: readonly SeriesPoint[]): SeriesCounts {
  return points.reduce((sum, { counts }) => mergeCounts(sum, counts), noCounts);
}

/** The rows of open buckets, by webhook. */
async function readOpen(
  store: Store,
  accountId: string,
  webhookIds: readonly string[] | undefined,
): Promise<[webhookId: string, text: string][]> {
  if (webhookIds !== undefined) {
    const texts = await store.getMany(
      webhookIds.map((webhookId) => keys.openBuckets({ accountId, webhookId })),
    );
    return webhookIds.flatMap((webhookId, index) => {
      const text = texts[index];
      return text === undefined ? [] : [[webhookId, text] as [string, string]];
    });
  }
  const rows: [string, string][] = [];
  for await (const { key, value } of listAll(store, keys.allOpenBuckets(accountId)))
    rows.push([String(key.at(-1)), value]);
  return rows;
}

async function* readEnded(
  store: Store,
  {
    accountId,
    webhookIds,
    step,
    from,
  }: Pick<SeriesQuery, "accountId" | "webhookIds"> & { readonly step: SeriesStep; readonly from: number },
): AsyncGenerator<Entry> {
  if (webhookIds === undefined) {
    yield* listAll(store, keys.allBuckets(accountId, step.seconds));
    return;
  }
  const pages = await Promise.all(
    webhookIds.map(async (webhookId) => {
      const prefix = keys.buckets({ accountId, webhookId }, step.seconds);
      // A key comes before the longer keys that begin with it, so the bucket at `from` is listed.
      const entries: Entry[] = [];
      for await (const entry of listAll(store, prefix, [...prefix, from])) entries.push(entry);
      return entries;
    }),
  );
  yield* pages.flat();
}

async function* listAll(store: Store, prefix: Key, first?: Key): AsyncGenerator<Entry> {
  for (let after = first; ;) {
    const entries = await store.list({ prefix, after, limit: pageSize });
    yield* entries;
    if (entries.length < pageSize) return;
    after = entries.at(-1)?.key;
  }
}
