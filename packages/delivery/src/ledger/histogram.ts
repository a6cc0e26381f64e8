/**
 * Durations from 1 ms to 10 s in ten steps for each power of ten. The order is stored data: it must never change.
 */
const boundsMs: readonly number[] = Array.from({ length: 41 }, (_, index) =>
  Number((10 ** (index / 10)).toPrecision(2)),
);

/** How many durations are at most each bound and above the one before. Longer ones count for the last. */
export type Histogram = readonly number[];

export const noDurations: Histogram = boundsMs.map(() => 0);

/** The place of a duration in a histogram. */
export function bucketOf(durationMs: number): number {
  const found = boundsMs.findIndex((bound) => durationMs <= bound);
  return found === -1 ? boundsMs.length - 1 : found;
}

export function mergeHistograms(one: Histogram, other: Histogram): Histogram {
  return one.map((count, index) => count + (other[index] ?? 0));
}

/** Milliseconds. Null without data. */
export interface Percentiles {
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly p99_ms: number | null;
  /** The upper bound of the highest step that has a duration. */
  readonly max_ms: number | null;
}

/** The duration that a share of the attempts does not exceed, interpolated within a step. */
export function percentiles({ durations }: { readonly durations: Histogram }): Percentiles {
  const total = durations.reduce((sum, count) => sum + count, 0);
  const percentileMs = (share: number): number | null => {
    let rank = total * share;
    for (const [index, count] of durations.entries()) {
      if (count > 0 && rank <= count) {
        const [lower, upper] = [boundsMs[index - 1] ?? 0, boundsMs[index] ?? 0];
        return Math.round((lower + ((upper - lower) * rank) / count) * 10) / 10;
      }
      rank -= count;
    }
    return null;
  };
  const highest = durations.findLastIndex((count) => count > 0);
  return {
    p50_ms: percentileMs(0.5),
    p95_ms: percentileMs(0.95),
    p99_ms: percentileMs(0.99),
    max_ms: boundsMs[highest] ?? null,
  };
}
