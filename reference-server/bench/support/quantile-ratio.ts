import { figure, quantile } from "./table.ts";

export interface QuantileRatio {
  /** The quantile of each side. */
  readonly one: number;
  readonly other: number;
  /** The first as a multiple of the second. */
  readonly ratio: number;
  /** The 90 % confidence interval of the ratio. */
  readonly from: number;
  readonly to: number;
}

/** The values of one second of a run. */
export interface MeasuredSecond {
  readonly figures: readonly number[];
  /** The kind of the second. Both sides must have the same mix of kinds. */
  readonly kind: number;
}

const resamples = 1_000;

/**
 * Compares two quantiles and computes a confidence interval. Slow values come together, so whole seconds are resampled
 * (block bootstrap). Each kind of second has the same weight on both sides (direct standardisation). Kinds that one
 * side lacks are ignored.
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

/** The values are sorted only once for all resamples. */
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
    // The weights are fractions, so their sum may be inexact.
    let left = whole * (1 - share) - whole * 1e-9;
    for (const { figure, second } of fromTheTop) {
      left -= weightOf(second);
      if (left <= 0) return figure;
    }
    return Number.NaN;
  }

  /** Draws as many seconds of each kind as there are, at random. Returns how often each was drawn. */
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
