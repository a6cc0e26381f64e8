import { figure, quantile } from "./table.ts";

export interface QuantileRatio {
  /** The quantile of what was measured of one, and of the other. */
  readonly one: number;
  readonly other: number;
  /** The first as a multiple of the second. */
  readonly ratio: number;
  /** Its 90 % confidence interval: the ratio of what is measured, if the seconds that were measured stand for all of them. */
  readonly from: number;
  readonly to: number;
}

/** What was measured in a second of a run. */
export interface MeasuredSecond {
  readonly figures: readonly number[];
  /** What kind of second it was, by whatever is to be the same for both. */
  readonly kind: number;
}

const resamples = 1_000;

/**
 * How two quantiles compare, and how well that is known. The last hundredth is a few figures, and they come together: one stall of
 * the machine is met by several. So whole seconds are drawn again, not single figures (Efron's bootstrap, by blocks). Each kind of second
 * weighs as much in one as in the other (direct standardisation), and is left out where one of them has none of it: who had the worse half of an hour is not the slower
 * one for that.
 */
export function quantileRatio(
  one: readonly MeasuredSecond[],
  other: readonly MeasuredSecond[],
  share: number,
): QuantileRatio {
  const ofOne = createQuantile(one, other, share);
  const ofOther = createQuantile(other, one, share);
  const ratios = Array.from({ length: resamples }, () => ofOne.drawn() / ofOther.drawn());
  return {
    one: ofOne.whole,
    other: ofOther.whole,
    ratio: ofOne.whole / ofOther.whole,
    from: quantile(ratios, 0.05),
    to: quantile(ratios, 0.95),
  };
}

/** `0.97–1.08 ×`. */
export function describeInterval({ from, to }: QuantileRatio): string {
  return Number.isNaN(from) ? figure(from) : `${figure(from)}–${figure(to)} ×`;
}

/** The figures are put in order once, whatever is drawn of them. */
function createQuantile(
  measured: readonly MeasuredSecond[],
  others: readonly MeasuredSecond[],
  share: number,
) {
  const countOthers = countKinds(others);
  const seconds = measured.filter(({ kind }) => countOthers.has(kind));
  const counts = countKinds(seconds);
  const weights = seconds.map(({ kind }) => {
    const count = counts.get(kind) ?? 0;
    return (count + (countOthers.get(kind) ?? 0)) / count;
  });
  const ofKind = Map.groupBy(seconds.keys(), (second) => seconds[second]?.kind);
  const fromTheTop = seconds
    .flatMap(({ figures }, second) => figures.map((figure) => ({ figure, second })))
    .sort((left, right) => right.figure - left.figure);

  function quantileOf(timesDrawn: readonly number[]): number {
    const weightOf = (second: number): number => (weights[second] ?? 0) * (timesDrawn[second] ?? 0);
    const whole = seconds.reduce((sum, { figures }, second) => sum + figures.length * weightOf(second), 0);
    // Weights are fractions, of which a sum is not quite what it should be.
    let left = whole * (1 - share) - whole * 1e-9;
    for (const { figure, second } of fromTheTop) {
      left -= weightOf(second);
      if (left <= 0) return figure;
    }
    return Number.NaN;
  }

  /** As many of each kind as there are, at random: how often each of them was drawn. */
  function drawAgain(): number[] {
    const timesDrawn = seconds.map(() => 0);
    for (const { kind } of seconds) {
      const alike = ofKind.get(kind) ?? [];
      const drawn = alike[Math.floor(Math.random() * alike.length)] ?? 0;
      timesDrawn[drawn] = (timesDrawn[drawn] ?? 0) + 1;
    }
    return timesDrawn;
  }

  return {
    whole: quantileOf(seconds.map(() => 1)),
    drawn: () => quantileOf(drawAgain()),
  };
}

function countKinds(seconds: readonly MeasuredSecond[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { kind } of seconds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
