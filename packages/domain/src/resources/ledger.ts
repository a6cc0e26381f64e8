/**
 * What became of the events that were published in a period: `due` is the sum of the five numbers that follow it. Tests and resends are
 * not counted. A resend that is accepted moves its event to `delivered`.
 */
export interface LedgerNumbers {
  readonly due: number;
  readonly delivered: number;
  /** Wait for an attempt. */
  readonly pending: number;
  /** After the last attempt. */
  readonly failed: number;
  readonly cancelled: number;
  /** The webhook was off or paused when the event was published. */
  readonly not_sent: number;
  /** Attempts after the first one. */
  readonly retried: number;
  /** Durations of attempts in milliseconds, interpolated between two bounds that are about 26 % apart. Null without an attempt. */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly p99_ms: number | null;
  /** The upper bound of the longest duration. */
  readonly max_ms: number | null;
}

/** The ledger of an account, or of a part of it. */
export interface Ledger {
  /** Moved to the beginning of its step. */
  readonly since: string;
  /** Moved to the end of its step. */
  readonly until: string;
  /** The length of a step. */
  readonly step_seconds: number;
  readonly totals: LedgerNumbers;
  /** All steps, oldest first. Each begins at `at`. */
  readonly series: readonly (LedgerNumbers & { readonly at: string })[];
}
