import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeHistograms, percentileMs, toHistogram } from "../../src/series/histogram.ts";

it("percentiles without data are null", () => {
  expect(percentileMs(toHistogram([]), 0.5)).toBeNull();
  expect(percentileMs(mergeHistograms(toHistogram([]), toHistogram([])), 0.95)).toBeNull();
});

it.each([
  [0, 1],
  [1, 1],
  [1.01, 1.3],
  [12.5, 13],
  [48, 50],
  [10_000, 10_000],
  [10_007.4, 10_000],
])("a duration of %d ms counts as %d ms", (duration, shown) => {
  expect(percentileMs(toHistogram([duration]), 0.5)).toBe(shown);
});

it("the percentile is that of the nearest rank", () => {
  const durations = Array.from({ length: 100 }, (_, index) => (index < 50 ? 10 : index < 95 ? 100 : 1_000));
  const histogram = toHistogram(durations);
  expect([0.5, 0.51, 0.95, 0.96, 1].map((share) => percentileMs(histogram, share))).toEqual([
    10, 100, 100, 1_000, 1_000,
  ]);
});

it("a percentile is never too low and at most 30 % too high, and survives merging", () => {
  const duration = fc.double({ min: 1, max: 10_000, noNaN: true });
  const share = fc.constantFrom(0.5, 0.95);
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1 }), fc.array(duration), share, (one, other, asked) => {
      const sorted = [...one, ...other].toSorted((left, right) => left - right);
      const exact = sorted[Math.ceil(sorted.length * asked) - 1] ?? 0;
      const shown = percentileMs(mergeHistograms(toHistogram(one), toHistogram(other)), asked) ?? 0;
      expect(shown).toBeGreaterThanOrEqual(exact);
      expect(shown).toBeLessThanOrEqual(exact * 1.31);
    }),
  );
});

it("only bounds with a duration are in it, in order: rows of earlier versions are read", () => {
  expect(toHistogram([48, 1, 48, 20_000])).toEqual([0, 1, 17, 2, 40, 1]);
});
