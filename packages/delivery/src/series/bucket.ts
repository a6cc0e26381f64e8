import type { Key } from "@hookwright/storage";
import type { AttemptRow, DeliveryStatus } from "../storage/codec.ts";
import { mergeHistograms, percentileMs, toHistogram } from "./histogram.ts";
import type { Histogram } from "./histogram.ts";

/** The lengths of the buckets. Each series lives a little longer than the period that shows it. */
export const seriesSteps = [
  { seconds: 60, keptSeconds: 2 * 3_600 },
  { seconds: 900, keptSeconds: 2 * 86_400 },
  { seconds: 3_600, keptSeconds: 8 * 86_400 },
  { seconds: 21_600, keptSeconds: 31 * 86_400 },
] as const;
export type SeriesStep = (typeof seriesSteps)[number];
export type StepSeconds = SeriesStep["seconds"];

/** What ended in a stretch of time. Tests are not counted. */
export interface SeriesCounts {
  readonly delivered: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly attempts: number;
  readonly failedAttempts: number;
  /** The durations of all attempts. */
  readonly durations: Histogram;
}

export const noCounts: SeriesCounts = {
  delivered: 0,
  failed: 0,
  cancelled: 0,
  attempts: 0,
  failedAttempts: 0,
  durations: [],
};

/** A bucket of one webhook. */
export interface Bucket {
  /** Its beginning, in milliseconds. */
  readonly at: number;
  /** The number of the bucket in its series. If the clock of a worker goes back, a stretch of time has two buckets. */
  readonly part: number;
  readonly counts: SeriesCounts;
}

/** The result of a delivery: with an attempt, or cancelled. */
export interface CountedResult {
  /** When the attempt ended, in milliseconds. */
  readonly at: number;
  readonly status: DeliveryStatus;
  readonly attempt: Pick<AttemptRow, "error" | "duration_ms"> | undefined;
}

export function startOf(at: number, { seconds }: SeriesStep): number {
  const stepMs = seconds * 1_000;
  return Math.floor(at / stepMs) * stepMs;
}

/** When a bucket expires, in milliseconds. */
export function expiryOf(at: number, { seconds, keptSeconds }: SeriesStep): number {
  return at + (seconds + keptSeconds) * 1_000;
}

/** How long a row of a series lives, in milliseconds. `undefined`: it is another row. */
export function seriesLifetimeMs([, table, , stepSeconds]: Key): number | undefined {
  const step =
    table === "series-open" ? seriesSteps.at(-1) : seriesSteps.find(({ seconds }) => seconds === stepSeconds);
  if (step === undefined || (table !== "series" && table !== "series-open")) return undefined;
  return (step.seconds + step.keptSeconds) * 1_000;
}

export function countAll(results: readonly CountedResult[]): SeriesCounts {
  let { delivered, failed, cancelled, attempts, failedAttempts } = noCounts;
  const durationsMs: number[] = [];
  for (const { status, attempt } of results) {
    if (status === "delivered") delivered += 1;
    if (status === "failed") failed += 1;
    if (status === "cancelled") cancelled += 1;
    if (attempt === undefined) continue;
    attempts += 1;
    if (attempt.error !== null) failedAttempts += 1;
    durationsMs.push(attempt.duration_ms);
  }
  const durations = toHistogram(durationsMs);
  return { delivered, failed, cancelled, attempts, failedAttempts, durations };
}

export function mergeCounts(one: SeriesCounts, other: SeriesCounts): SeriesCounts {
  return {
    delivered: one.delivered + other.delivered,
    failed: one.failed + other.failed,
    cancelled: one.cancelled + other.cancelled,
    attempts: one.attempts + other.attempts,
    failedAttempts: one.failedAttempts + other.failedAttempts,
    durations: mergeHistograms(one.durations, other.durations),
  };
}

/** Delivered deliveries in proportion to those that were delivered or failed. Null if there were none. */
export function successRate({ delivered, failed }: SeriesCounts): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}

/** The median and the 95th percentile of the durations, in milliseconds. Null without an attempt. */
export function percentiles({ durations }: SeriesCounts): {
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
} {
  return { p50_ms: percentileMs(durations, 0.5), p95_ms: percentileMs(durations, 0.95) };
}

type BucketCells = ReturnType<typeof toCells>;

function toCells({ at, part, counts }: Bucket) {
  const { delivered, failed, cancelled, attempts, failedAttempts, durations } = counts;
  return [at, part, delivered, failed, cancelled, attempts, failedAttempts, durations] as const;
}

function toBucket(cells: BucketCells): Bucket {
  const [at, part, delivered, failed, cancelled, attempts, failedAttempts, durations] = cells;
  return { at, part, counts: { delivered, failed, cancelled, attempts, failedAttempts, durations } };
}

export function renderBucket(bucket: Bucket): string {
  return JSON.stringify(toCells(bucket));
}

export function parseBucket(text: string): Bucket {
  const cells: BucketCells = JSON.parse(text);
  return toBucket(cells);
}

/** The buckets that a webhook counts in now, in the order of {@link seriesSteps}. */
export function renderOpenBuckets(buckets: readonly Bucket[]): string {
  return JSON.stringify(buckets.map(toCells));
}

export function parseOpenBuckets(text: string): Bucket[] {
  const rows: readonly BucketCells[] = JSON.parse(text);
  return rows.map(toBucket);
}
