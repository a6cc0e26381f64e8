import type { ContenderFigures } from "./contenders.ts";
import { median } from "./table.ts";

/** The measurement of each contender by its name. */
export type Contest = Readonly<Record<string, (deliveries: number) => Promise<ContenderFigures>>>;

export interface Rounds {
  /** The median of a value over all rounds. */
  medianOf(name: string, figure: keyof ContenderFigures): number;
  /** The sum of a value over all rounds. */
  sumOf(name: string, figure: keyof ContenderFigures): number;
  /** The ratio within each round, which sees the same variations of the machine. */
  ratiosOf(one: string, other: string, figure: keyof ContenderFigures): number[];
  /** The median of these ratios. */
  ratioOf(one: string, other: string, figure: keyof ContenderFigures): number;
}

/**
 * Rounds alternate, so that all contenders see the same variations of the machine. Every second round is in reverse, because the first of
 * a round is slower.
 */
export async function playRounds(contest: Contest, rounds: number, deliveries: number): Promise<Rounds> {
  const played: Map<string, ContenderFigures>[] = [];
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`round ${round} of ${rounds} …\n`);
    const figures = new Map<string, ContenderFigures>();
    const contenders = Object.entries(contest);
    if (round % 2 === 0) contenders.reverse();
    for (const [name, measure] of contenders) figures.set(name, await measure(deliveries));
    played.push(figures);
  }
  const all = (name: string, figure: keyof ContenderFigures): number[] =>
    played.map((round) => round.get(name)?.[figure] ?? 0);
  function ratiosOf(one: string, other: string, figure: keyof ContenderFigures): number[] {
    const below = all(other, figure);
    return all(one, figure).map((above, round) => above / (below[round] ?? Number.NaN));
  }
  return {
    medianOf: (name, figure) => median(all(name, figure)),
    sumOf: (name, figure) => all(name, figure).reduce((sum, one) => sum + one, 0),
    ratiosOf,
    ratioOf: (one, other, figure) => median(ratiosOf(one, other, figure)),
  };
}
