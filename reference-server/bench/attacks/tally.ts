/** Counts how often each outcome occurs. */
export interface Tally {
  add(outcome: string, count?: number): void;
  counts(): Readonly<Record<string, number>>;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (outcome, count = 1) => void counts.set(outcome, (counts.get(outcome) ?? 0) + count),
    counts: () => Object.fromEntries(counts),
  };
}
