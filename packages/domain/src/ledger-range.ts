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

/** A time from `since` to `until`, in milliseconds since the epoch, and the length of its steps. */
export interface LedgerRange {
  readonly since: number;
  readonly until: number;
  readonly stepSeconds: number;
}

/**
 * Moves a range to whole steps, which the ledger has: `since` down, `until` up, and the step up if it is too short for the age or the
 * length of the range.
 *
 * @param now milliseconds since the epoch
 */
export function toLedgerRange(
  {
    since,
    until,
    stepSeconds,
  }: Omit<LedgerRange, "stepSeconds"> & { readonly stepSeconds?: number | undefined },
  now: number,
): LedgerRange {
  const kept = ledgerSteps.find(({ keptSeconds }) => since >= now - keptSeconds * 1_000)?.seconds ?? 21_600;
  const lengthSeconds = (until - since) / 1_000;
  const usual =
    usualSeconds.find((each) => each % kept === 0 && lengthSeconds / each <= usualSteps) ?? 86_400;
  const shortest = Math.max(stepSeconds ?? usual, lengthSeconds / (maximumLedgerSteps - 1));
  const used = Math.ceil(shortest / kept) * kept;
  const stepMs = used * 1_000;
  return {
    since: Math.floor(since / stepMs) * stepMs,
    until: Math.ceil(until / stepMs) * stepMs,
    stepSeconds: used,
  };
}
