/** The lengths of the steps in which the ledger is kept. Each is kept a little longer than the period that shows it. */
export const ledgerSteps = [
  { seconds: 60, keptSeconds: 2 * 3_600 },
  { seconds: 900, keptSeconds: 2 * 86_400 },
  { seconds: 3_600, keptSeconds: 8 * 86_400 },
  { seconds: 21_600, keptSeconds: 31 * 86_400 },
] as const;

/** The ledger is kept for this long. */
export const ledgerKeptMs = 31 * 86_400_000;
/** A range has no more steps than this. */
export const maximumLedgerSteps = 1_000;
/** Without a step, a range has no more steps than this. */
const usualSteps = 200;
const usualSeconds = [60, 300, 900, 3_600, 10_800, 21_600, 86_400];

/** Times are in milliseconds since the epoch. */
export interface LedgerRangeQuery {
  readonly since: number;
  readonly until: number;
  /** Whole minutes. @default so long that a chart has at most 200 steps */
  readonly stepSeconds?: number | undefined;
}

/** Whole steps of the ledger, from `since` to `until`, in milliseconds since the epoch. */
export interface LedgerRange {
  readonly since: number;
  readonly until: number;
  readonly stepSeconds: number;
  /** The longest step of {@link ledgerSteps} that divides `stepSeconds`. It is kept for all of the range. */
  readonly rows: (typeof ledgerSteps)[number];
}

/**
 * Moves a range to whole steps, which the ledger has: `since` down, `until` up, and the step up if it is too short for the age or the
 * length of the range. A first step of which a part has expired after 31 days is left out.
 *
 * @param now milliseconds since the epoch
 */
export function toLedgerRange({ since, until, stepSeconds }: LedgerRangeQuery, now: number): LedgerRange {
  const lengthSeconds = (until - since) / 1_000;
  const toRange = (shortest: number): LedgerRange => {
    const usual =
      usualSeconds.find((each) => each % shortest === 0 && lengthSeconds / each <= usualSteps) ?? 86_400;
    const wanted = Math.max(stepSeconds ?? usual, lengthSeconds / (maximumLedgerSteps - 1));
    const used = Math.ceil(wanted / shortest) * shortest;
    return {
      since: startOfStep(since, used),
      until: startOfStep(Math.min(until - 1, now), used) + used * 1_000,
      stepSeconds: used,
      rows: ledgerSteps.findLast(({ seconds }) => used % seconds === 0) ?? ledgerSteps[0],
    };
  };
  // A row is kept for so long after its end.
  const oldestOf = ({ rows }: LedgerRange): number =>
    startOfStep(now - rows.keptSeconds * 1_000, rows.seconds);
  const ranges = ledgerSteps.map(({ seconds }) => toRange(seconds));
  const whole = ranges.find((range) => range.since >= oldestOf(range));
  if (whole !== undefined) return whole;
  const range = toRange(ledgerSteps[3].seconds);
  const stepMs = range.stepSeconds * 1_000;
  const firstWhole = Math.ceil(oldestOf(range) / stepMs) * stepMs;
  return { ...range, since: Math.min(firstWhole, range.until - stepMs) };
}

/** The beginning of a step, in milliseconds. */
export function startOfStep(at: number, seconds: number): number {
  return Math.floor(at / (seconds * 1_000)) * seconds * 1_000;
}
