import type { LedgerNumbers } from "@hookwright/domain";
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
  const of = (field: string): number => sums.get(field) ?? 0;
  const ended = { a: 0, f: 0, c: of("c"), r: 0 };
  const durations = [...noDurations];
  let [attempts, retried] = [0, 0];
  for (const [field, count] of sums) {
    const attempt = parseAttempt(field);
    if (attempt === undefined) continue;
    ended[attempt.outcome] += count;
    attempts += count;
    if (attempt.isRetry) retried += count;
    durations[attempt.bucket] = (durations[attempt.bucket] ?? 0) + count;
  }
  const pending = Math.max(0, of("q") - ended.a - ended.f - ended.c);
  const delivered = ended.a + of("mf") + of("mc") + of("mn");
  const failed = Math.max(0, ended.f - of("mf"));
  const cancelled = Math.max(0, ended.c - of("mc"));
  const notSent = Math.max(0, of("n") - of("mn"));
  const due = delivered + pending + failed + cancelled + notSent;
  const failedAttempts = attempts - ended.a;
  return {
    due,
    delivered,
    pending,
    failed,
    cancelled,
    notSent,
    retried,
    attempts,
    failedAttempts,
    durations,
  };
}

/** What a field says of attempts, see `LedgerEntry`. `undefined`: it counts no attempts. */
export function parseAttempt(
  field: string,
):
  | { readonly outcome: "a" | "f" | "c" | "r"; readonly isRetry: boolean; readonly bucket: number }
  | undefined {
  const [, letter = "", bucket = ""] = /^([afcr])(\d{1,2})$/iu.exec(field) ?? [];
  const outcome = letter.toLowerCase();
  return isOutcome(outcome) ? { outcome, isRetry: outcome !== letter, bucket: Number(bucket) } : undefined;
}

function isOutcome(letter: string): letter is "a" | "f" | "c" | "r" {
  return letter !== "" && "afcr".includes(letter);
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
      attempts: sum.attempts + counts.attempts,
      failedAttempts: sum.failedAttempts + counts.failedAttempts,
      durations: mergeHistograms(sum.durations, counts.durations),
    }),
    noCounts,
  );
}

/** Delivered in proportion to all that is not pending. Null if there is nothing. */
export function successRate({ delivered, due, pending }: LedgerCounts): number | null {
  return due === pending ? null : delivered / (due - pending);
}

/** The numbers as APIs return them. */
export function toLedgerNumbers(counts: LedgerCounts): LedgerNumbers {
  const { due, delivered, pending, failed, cancelled, notSent, retried } = counts;
  return {
    due,
    delivered,
    pending,
    failed,
    cancelled,
    not_sent: notSent,
    retried,
    ...percentiles(counts),
  };
}
