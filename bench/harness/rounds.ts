import { median, say } from "./table.ts";

/** What a measurement of some deliveries has found. */
export interface Figures {
  readonly perSecond: number;
  /** The CPU time of the delivering process, with all its threads. */
  readonly cpuMicroseconds: number;
  readonly lost?: number;
  readonly duplicates?: number;
  /** Memory of the process without mapped files. */
  readonly anonymousMegabytes?: number;
}

/** The measurement of each contender by its name. */
export type Contest = Readonly<Record<string, (deliveries: number) => Promise<Figures>>>;

export interface Rounds {
  /** The median of a value over all rounds. */
  medianOf(name: string, figure: keyof Figures): number;
  /** The sum of a value over all rounds. */
  sumOf(name: string, figure: keyof Figures): number;
  /** The ratio within each round, which sees the same variations of the machine. */
  ratiosOf(one: string, other: string, figure: keyof Figures): number[];
  /** The median of these ratios. */
  ratioOf(one: string, other: string, figure: keyof Figures): number;
}

/**
 * Rounds alternate, so that all contenders see the same variations of the machine. Every second round is in reverse, because the first of
 * a round is slower.
 */
export async function playRounds(
  contest: Contest,
  rounds: number,
  deliveries: number,
  onRound = (round: number): void => say(`round ${round} of ${rounds} …`),
): Promise<Rounds> {
  const played: Map<string, Figures>[] = [];
  for (let round = 1; round <= rounds; round++) {
    onRound(round);
    const figures = new Map<string, Figures>();
    const contenders = Object.entries(contest);
    if (round % 2 === 0) contenders.reverse();
    for (const [name, measure] of contenders) figures.set(name, await measure(deliveries));
    played.push(figures);
  }
  const all = (name: string, figure: keyof Figures): number[] =>
    played.map((round) => round.get(name)?.[figure] ?? 0);
  function ratiosOf(one: string, other: string, figure: keyof Figures): number[] {
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
