/**
 * Durations from 1 ms to 10 s in ten steps for each power of ten, so that a percentile is at most 30 % too high. The order is stored data:
 * it must never change.
 */
const boundsMs: readonly number[] = Array.from({ length: 41 }, (_, index) =>
  Number((10 ** (index / 10)).toPrecision(2)),
);

/**
 * How many durations are at most each bound and above the one before. Longer ones count for the last. Only bounds that have any are in
 * it, each as its index and its count, in order. It is stored as it is.
 */
export type Histogram = readonly number[];

export function toHistogram(durationsMs: readonly number[]): Histogram {
  const histogram: number[] = [];
  for (const durationMs of durationsMs) {
    const found = boundsMs.findIndex((bound) => durationMs <= bound);
    addCount(histogram, found === -1 ? boundsMs.length - 1 : found, 1);
  }
  return histogram;
}

export function mergeHistograms(one: Histogram, other: Histogram): Histogram {
  const sum = [...one];
  for (let at = 0; at < other.length; at += 2) addCount(sum, other[at] ?? 0, other[at + 1] ?? 0);
  return sum;
}

function addCount(histogram: number[], index: number, count: number): void {
  let at = 0;
  while ((histogram[at] ?? index) < index) at += 2;
  if (histogram[at] === index) histogram[at + 1] = (histogram[at + 1] ?? 0) + count;
  else histogram.splice(at, 0, index, count);
}

/**
 * The duration in milliseconds that this share of the durations does not exceed, rounded up to a bound. Null without data.
 *
 * @param share above 0, at most 1
 * @example percentileMs(toHistogram([48]), 0.95) // 50
 */
export function percentileMs(histogram: Histogram, share: number): number | null {
  let total = 0;
  for (let at = 1; at < histogram.length; at += 2) total += histogram[at] ?? 0;
  const rank = Math.ceil(total * share);
  let counted = 0;
  for (let at = 0; at < histogram.length; at += 2) {
    counted += histogram[at + 1] ?? 0;
    if (counted >= rank) return boundsMs[histogram[at] ?? 0] ?? null;
  }
  return null;
}
