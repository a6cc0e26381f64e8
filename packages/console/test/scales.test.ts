import { expect, it } from "vitest";
import { formatShare, logPlace, niceEnd } from "../site/console/parts/format.ts";

it("a count axis ends at or above its maximum, at most at its triple, and its middle is a whole number", () => {
  for (let maximum = 0; maximum <= 10_000; maximum++) {
    const end = niceEnd(maximum);
    expect(end).toBeGreaterThanOrEqual(maximum);
    expect(end).toBeLessThanOrEqual(Math.max(2, 3 * maximum));
    expect(end / 2).toSatisfy(Number.isInteger);
  }
});

it("a duration has its place between 1 ms and 10 s, on a logarithmic scale", () => {
  expect([0, 1, 10, 100, 1_000, 10_000, 60_000].map(logPlace)).toEqual([0, 0, 0.25, 0.5, 0.75, 1, 1]);
});

it("a share is 100 % only if it is everything", () => {
  expect([1, 0.9996, 0.957, 0, null].map(formatShare)).toEqual(["100 %", "99.9 %", "95.7 %", "0 %", "–"]);
});
