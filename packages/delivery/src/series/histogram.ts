/**
 * Durations from 1 ms to 10 s in ten steps for each power of ten, so that a percentile is at most 30 % too high. The order is stored data:
 * it must never change.
 */
const boundsMs: readonly number[] = Array.from({ length: 41 }, (_, index) =>
  Number((10 ** (index / 10)).toPrecision(2)),
);

/** How many durations are at most each bound and above the one before. Longer ones count for the last. */
export type Histogram = readonly number[];

export const emptyHistogram: Histogram = boundsMs.map(() => 0);

export function addDurations(histogram: Histogram, durationsMs: readonly number[]): Histogram {
  const sum = [...histogram];
  for (const durationMs of durationsMs) {
    const found = boundsMs.findIndex((bound) => durationMs <= bound);
    const index = found === -1 ? boundsMs.length - 1 : found;
    sum[index] = (sum[index] ?? 0) + 1;
  }
  return sum;
}

export function mergeHistograms(one: Histogram, other: Histogram): Histogram {
  return one.map((count, index) => count + (other[index] ?? 0));
}

/**
 * The duration in milliseconds that this share of the durations does not exceed, rounded up to a bound. Null without data.
 *
 * @param share above 0, at most 1
 * @example percentileMs(addDurations(emptyHistogram, [48]), 0.95) // 50
 */
export function percentileMs(histogram: Histogram, share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.ceil(total * share);
  let counted = 0;
  const index = histogram.findIndex((count) => (counted += count) >= rank);
  return boundsMs.at(index) ?? null;
}

/** Index and count of each bound that has any. */
export function renderHistogram(histogram: Histogram): number[] {
  return histogram.flatMap((count, index) => (count === 0 ? [] : [index, count]));
}

export function parseHistogram(cells: readonly number[]): Histogram {
  const histogram = [...emptyHistogram];
  for (let at = 0; at < cells.length; at += 2) histogram[cells[at] ?? 0] = cells[at + 1] ?? 0;
  return histogram;
}
