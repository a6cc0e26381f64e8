import { quantile } from "./table.ts";

/** What was measured of two contenders in the same second of their runs. */
export interface Pair {
  readonly one: readonly number[];
  readonly other: readonly number[];
}

export interface QuantileRatio {
  /** The quantile of all that was measured of one, as a multiple of that of the other. */
  readonly ratio: number;
  /** Its 90 % confidence interval: the ratio of what is measured, if the seconds that were measured stand for all of them. */
  readonly from: number;
  readonly to: number;
}

const resamples = 1_000;

/**
 * How two quantiles compare, and how well that is known. The last hundredth is a few figures, and they come together: one stall of
 * the machine is met by several. So whole seconds are drawn again, not single figures (Efron's bootstrap, by blocks).
 */
export function quantileRatio(pairs: readonly Pair[], share: number): QuantileRatio {
  const ratioOf = (drawn: readonly Pair[]): number =>
    quantile(
      drawn.flatMap(({ one }) => one),
      share,
    ) /
    quantile(
      drawn.flatMap(({ other }) => other),
      share,
    );
  const ratios = Array.from({ length: resamples }, () =>
    ratioOf(pairs.flatMap(() => pairs[Math.floor(Math.random() * pairs.length)] ?? [])),
  );
  return { ratio: ratioOf(pairs), from: quantile(ratios, 0.05), to: quantile(ratios, 0.95) };
}
