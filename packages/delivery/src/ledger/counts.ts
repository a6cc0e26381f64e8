import type { LedgerNumbers, LedgerOutcomes } from "@hookwright/domain";
import { fields, parseAttempt } from "./fields.ts";
import type { LedgerField } from "./fields.ts";
import { mergeHistograms, noDurations, percentiles } from "./histogram.ts";
import type { Histogram } from "./histogram.ts";

/** What became of the events that were published in a stretch of time. Tests are not counted. */
export interface LedgerCounts {
  /** The sum of the five that follow. */
  readonly due: number;
  readonly delivered: number;
  readonly pending: number;
  readonly failed: number;
  readonly cancelled: number;
  /** The webhook was off or paused. */
  readonly notSent: number;
  /** Attempts after the first. */
  readonly retried: number;
  /** Events that the first attempt delivered. */
  readonly firstAccepted: number;
  readonly attempts: number;
  readonly failedAttempts: number;
  /** The durations of all attempts. */
  readonly durations: Histogram;
}

export const noCounts: LedgerCounts = {
  due: 0,
  delivered: 0,
  pending: 0,
  failed: 0,
  cancelled: 0,
  notSent: 0,
  retried: 0,
  firstAccepted: 0,
  attempts: 0,
  failedAttempts: 0,
  durations: noDurations,
};

/** The sums of one place in the ledger, by field. */
export type Sums = Map<string, number>;

export function addSum(sums: Sums, field: string, amount: number): void {
  sums.set(field, (sums.get(field) ?? 0) + amount);
}

/** An earlier version did not count what it queued. So less may have been queued than ended, and have failed than moved. */
export function toCounts(sums: ReadonlyMap<string, number>): LedgerCounts {
  if (sums.size === 0) return noCounts;
  const of = (field: LedgerField): number => sums.get(field) ?? 0;
  const ended = { delivered: 0, failed: 0, cancelled: of(fields.cancelled), pending: 0 };
  const durations = [...noDurations];
  let [attempts, retried, firstAccepted] = [0, 0, 0];
  for (const [field, count] of sums) {
    const attempt = parseAttempt(field);
    if (attempt === undefined) continue;
    ended[attempt.outcome] += count;
    attempts += count;
    if (attempt.isRetry) retried += count;
    else if (attempt.outcome === "delivered") firstAccepted += count;
    durations[attempt.bucket] = (durations[attempt.bucket] ?? 0) + count;
  }
  const pending = Math.max(0, of(fields.queued) - ended.delivered - ended.failed - ended.cancelled);
  const delivered =
    ended.delivered + of(fields.failedMoved) + of(fields.cancelledMoved) + of(fields.notSentMoved);
  const failed = Math.max(0, ended.failed - of(fields.failedMoved));
  const cancelled = Math.max(0, ended.cancelled - of(fields.cancelledMoved));
  const notSent = Math.max(0, of(fields.notSent) - of(fields.notSentMoved));
  const due = delivered + pending + failed + cancelled + notSent;
  const failedAttempts = attempts - ended.delivered;
  return {
    due,
    delivered,
    pending,
    failed,
    cancelled,
    notSent,
    retried,
    firstAccepted,
    attempts,
    failedAttempts,
    durations,
  };
}

/** The sum of a series. */
export function sumPoints(points: readonly { readonly counts: LedgerCounts }[]): LedgerCounts {
  return points.reduce<LedgerCounts>(
    (sum, { counts }) => ({
      due: sum.due + counts.due,
      delivered: sum.delivered + counts.delivered,
      pending: sum.pending + counts.pending,
      failed: sum.failed + counts.failed,
      cancelled: sum.cancelled + counts.cancelled,
      notSent: sum.notSent + counts.notSent,
      retried: sum.retried + counts.retried,
      firstAccepted: sum.firstAccepted + counts.firstAccepted,
      attempts: sum.attempts + counts.attempts,
      failedAttempts: sum.failedAttempts + counts.failedAttempts,
      durations: mergeHistograms(sum.durations, counts.durations),
    }),
    noCounts,
  );
}

/** What became of events, as APIs return it. */
export function toLedgerOutcomes(counts: LedgerCounts): LedgerOutcomes {
  const { due, delivered, pending, failed, cancelled, notSent } = counts;
  return { due, delivered, pending, failed, cancelled, not_sent: notSent };
}

/** The numbers as APIs return them. */
export function toLedgerNumbers(counts: LedgerCounts): LedgerNumbers {
  const { attempts, retried, firstAccepted } = counts;
  const firstAttempts = attempts - retried;
  return {
    ...toLedgerOutcomes(counts),
    retried,
    first_try_rate: firstAttempts === 0 ? null : firstAccepted / firstAttempts,
    ...percentiles(counts),
  };
}
