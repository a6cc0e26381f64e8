import fc from "fast-check";
import { expect, it } from "vitest";
import { bucketOf, mergeHistograms, noDurations, percentiles } from "../../src/ledger/histogram.ts";

function toHistogram(durationsMs: readonly number[]) {
  const durations = [...noDurations];
  for (const durationMs of durationsMs)
    durations[bucketOf(durationMs)] = (durations[bucketOf(durationMs)] ?? 0) + 1;
  return durations;
}

const percentilesOf = (...durationsMs: number[]) => percentiles({ durations: toHistogram(durationsMs) });

it("percentiles without data are null", () => {
  expect(percentilesOf()).toEqual({ p50_ms: null, p95_ms: null, p99_ms: null, max_ms: null });
});

it.each([
  [0, 1],
  [1, 1],
  [1.01, 1.3],
  [12.5, 13],
  [48, 50],
  [10_000, 10_000],
  [10_007.4, 10_000],
])("the longest of %d ms is shown as %d ms", (duration, shown) => {
  expect(percentilesOf(duration, 0).max_ms).toBe(shown);
});

it("percentiles are interpolated within a step", () => {
  expect(percentilesOf(...Array.from({ length: 100 }, () => 45))).toEqual({
    p50_ms: 45,
    p95_ms: 49.5,
    p99_ms: 49.9,
    max_ms: 50,
  });
  expect(percentilesOf(10, 10, 10, 1_000)).toMatchObject({ p50_ms: 9.3, max_ms: 1_000 });
});

it("a percentile is in the step of the exact one, in order, and survives merging", () => {
  const durations = fc.array(fc.double({ min: 1, max: 10_000, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(durations, durations, (one, other) => {
      const sorted = [...one, ...other].toSorted((left, right) => left - right);
      const shown = percentiles({ durations: mergeHistograms(toHistogram(one), toHistogram(other)) });
      const { p50_ms = 0, p95_ms = 0, p99_ms = 0, max_ms = 0 } = shown;
      for (const [share, value] of [
        [0.5, p50_ms],
        [0.95, p95_ms],
        [0.99, p99_ms],
      ] as const) {
        const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
        expect(value).toBeGreaterThan(exact / 1.34 - 0.1);
        expect(value).toBeLessThan(exact * 1.34 + 0.1);
      }
      expect(
        [p50_ms, p95_ms, p99_ms, max_ms].toSorted((left, right) => Number(left) - Number(right)),
      ).toEqual([p50_ms, p95_ms, p99_ms, max_ms]);
    }),
  );
});
