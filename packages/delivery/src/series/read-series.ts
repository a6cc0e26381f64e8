import type { Entry, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
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

/** The counts of some points, by the beginning of their bucket. */
type Counted = Map<number, SeriesCounts>;

/**
 * Reads series, oldest bucket first, with a point for every bucket. It holds the sums, not the buckets: those of removed webhooks are
 * kept too, so an account may have very many.
 *
 * @returns the sum of all webhooks, and the series of each webhook that was asked for
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
  const all: Counted = new Map();
  const ofWebhooks = new Map(webhookIds?.map((webhookId): [string, Counted] => [webhookId, new Map()]));
  const count = (webhookId: string, { at, counts }: Bucket): void => {
    for (const points of [all, ofWebhooks.get(webhookId)])
      points?.set(at, mergeCounts(points.get(at) ?? noCounts, counts));
  };
  // In this order: a bucket that ends between the two reads is found twice, but never missed.
  const open = await readOpen(store, accountId, webhookIds, index);
  for await (const { key, value } of readEnded(store, { accountId, webhookIds, step, from })) {
    if (Number(key.at(-2)) < from) continue;
    const webhookId = String(key.at(-3));
    const bucket = parseBucket(value);
    const current = open.get(webhookId);
    if (current?.at === bucket.at && current.part === bucket.part) open.delete(webhookId);
    count(webhookId, bucket);
  }
  for (const [webhookId, bucket] of open) count(webhookId, bucket);
  const toPoints = (counted: Counted): SeriesPoint[] =>
    Array.from({ length }, (_, place) => {
      const at = from + place * step.seconds * 1_000;
      return { at, counts: counted.get(at) ?? noCounts };
    });
  return {
    all: toPoints(all),
    byWebhook: new Map(Array.from(ofWebhooks, ([webhookId, counted]) => [webhookId, toPoints(counted)])),
  };
}

/** The sum of a series. */
export function sumSeries(points: readonly SeriesPoint[]): SeriesCounts {
  return points.reduce((sum, { counts }) => mergeCounts(sum, counts), noCounts);
}

/** The bucket that each webhook counts in now. */
async function readOpen(
  store: Store,
  accountId: string,
  webhookIds: readonly string[] | undefined,
  index: number,
): Promise<Map<string, Bucket>> {
  const open = new Map<string, Bucket>();
  const keep = (webhookId: string, text: string | undefined): void => {
    const bucket = text === undefined ? undefined : parseOpenBuckets(text)[index];
    if (bucket !== undefined) open.set(webhookId, bucket);
  };
  if (webhookIds === undefined) {
    for await (const page of listPages(store, { prefix: keys.allOpenBuckets(accountId) }))
      for (const { key, value } of page) keep(String(key.at(-1)), value);
    return open;
  }
  const texts = await store.getMany(
    webhookIds.map((webhookId) => keys.openBuckets({ accountId, webhookId })),
  );
  webhookIds.forEach((webhookId, place) => keep(webhookId, texts[place]));
  return open;
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
    for await (const page of listPages(store, { prefix: keys.allBuckets(accountId, step.seconds) }))
      yield* page;
    return;
  }
  for (const webhookId of webhookIds) {
    const prefix = keys.buckets({ accountId, webhookId }, step.seconds);
    // A key comes before the longer keys that begin with it, so the bucket at `from` is listed.
    for await (const page of listPages(store, { prefix, after: [...prefix, from] })) yield* page;
  }
}
