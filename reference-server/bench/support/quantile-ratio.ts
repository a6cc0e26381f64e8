import { figure, quantile } from "./table.ts";

export interface QuantileRatio {
  /** The quantile of all that was measured of one, as a multiple of that of the other. */
  readonly ratio: number;
  /** Its 90 % confidence interval: the ratio of what is measured, if the seconds that were measured stand for all of them. */
  readonly from: number;
  readonly to: number;
}

const resamples = 1_000;

/** What was measured in each second of a run. */
type Seconds = readonly (readonly number[])[];

/**
 * How two quantiles compare, and how well that is known. The last hundredth is a few figures, and they come together: one stall of
 * the machine is met by several. So whole seconds are drawn again, not single figures (Efron's bootstrap, by blocks).
 */
export function quantileRatio(one: Seconds, other: Seconds, share: number): QuantileRatio {
  const quantileOfOne = createQuantile(one, share);
  const quantileOfOther = createQuantile(other, share);
  const drawnRatio = (): number =>
    quantileOfOne(drawAgain(one.length)) / quantileOfOther(drawAgain(other.length));
  const ratios = Array.from({ length: resamples }, drawnRatio);
  return {
    ratio: quantileOfOne(one.map(() => 1)) / quantileOfOther(other.map(() => 1)),
    from: quantile(ratios, 0.05),
    to: quantile(ratios, 0.95),
  };
}

/** `0.97–1.08 ×`. */
export function describeInterval({ from, to }: QuantileRatio): string {
  return Number.isNaN(from) ? figure(from) : `${figure(from)}–${figure(to)} ×`;
}

/** As many as there are, at random: how often each of them was drawn. */
function drawAgain(count: number): number[] {
  const timesDrawn = Array.from({ length: count }, () => 0);
  for (let draw = 0; draw < count; draw++) {
    const drawn = Math.floor(Math.random() * count);
    timesDrawn[drawn] = (timesDrawn[drawn] ?? 0) + 1;
  }
  return timesDrawn;
}

/** The figures are put in order once, whatever is drawn of them. */
function createQuantile(seconds: Seconds, share: number) {
  const fromTheTop = seconds
    .flatMap((figures, second) => figures.map((figure) => ({ figure, second })))
    .sort((left, right) => right.figure - left.figure);
  return (timesDrawn: readonly number[]): number => {
    const count = seconds.reduce((sum, { length }, second) => sum + length * (timesDrawn[second] ?? 0), 0);
    let left = count - Math.floor(count * share);
    for (const { figure, second } of fromTheTop) {
      left -= timesDrawn[second] ?? 0;
      if (left <= 0) return figure;
    }
    return Number.NaN;
  };
}
