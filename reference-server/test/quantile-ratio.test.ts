import { describe, expect, it } from "vitest";
import { quantileRatio } from "../bench/support/quantile-ratio.ts";
import type { MeasuredSecond } from "../bench/support/quantile-ratio.ts";
import { quantile } from "../bench/support/table.ts";

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

/** This many seconds of a kind. Each has a hundred values from `times` to a hundred times that. */
function seconds(count: number, kind: number, times: number): MeasuredSecond[] {
  return Array.from({ length: count }, () => ({ figures: hundred.map((figure) => figure * times), kind }));
}

describe("the ratio of two quantiles", () => {
  it("is the ratio of all values if all seconds are of one kind", () => {
    const one = [...seconds(3, 0, 2), ...seconds(2, 0, 5)];
    const other = seconds(4, 0, 1);
    const { ratio, from, to, ...quantiles } = quantileRatio(one, other, 0.99);
    const all = one.flatMap(({ figures }) => figures);
    expect(quantiles).toEqual({ one: quantile(all, 0.99), other: 100 });
    expect(ratio).toBe(quantile(all, 0.99) / 100);
    expect(from).toBeLessThanOrEqual(ratio);
    expect(to).toBeGreaterThanOrEqual(ratio);
  });

  it("is 1 if both sides have the same values in each kind of second, in any mix", () => {
    const one = [...seconds(10, 0, 1), ...seconds(30, 1, 3)];
    const other = [...seconds(39, 0, 1), ...seconds(1, 1, 3)];
    const { ratio, from, to } = quantileRatio(one, other, 0.99);
    expect([ratio, from, to]).toEqual([1, 1, 1]);
    const alike = (measured: readonly MeasuredSecond[]) => measured.map((second) => ({ ...second, kind: 0 }));
    expect(quantileRatio(alike(one), alike(other), 0.99).ratio).toBeGreaterThan(1.5);
  });

  it("shows which side is slower in each kind", () => {
    const one = [...seconds(10, 0, 1.2), ...seconds(30, 1, 3.6)];
    const other = [...seconds(30, 0, 1), ...seconds(10, 1, 3)];
    expect(quantileRatio(one, other, 0.99).ratio).toBeCloseTo(1.2, 9);
  });

  it("ignores a kind of second that only one side had", () => {
    const one = [...seconds(5, 0, 2), ...seconds(50, 3, 100)];
    const other = [...seconds(5, 0, 1), ...seconds(50, 4, 100)];
    expect(quantileRatio(one, other, 0.99)).toMatchObject({ one: 200, other: 100, ratio: 2 });
  });

  it("is unknown without a common kind", () => {
    expect(quantileRatio(seconds(5, 0, 1), seconds(5, 1, 1), 0.99).ratio).toBeNaN();
    expect(quantileRatio([], seconds(5, 1, 1), 0.99).ratio).toBeNaN();
  });
});
