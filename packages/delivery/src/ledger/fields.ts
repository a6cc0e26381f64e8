import { deliveryStates } from "@hookwright/domain";

/** What a sum of the ledger counts, beside attempts. The names are stored data: they must never change. */
export const fields = {
  /** A delivery was queued. */
  queued: "q",
  /** The webhook was off or paused. */
  notSent: "n",
  /** Cancelled without an attempt. */
  cancelled: "c",
  /** An event that had failed was delivered later. */
  failedMoved: "mf",
  /** An event that was cancelled was delivered later. */
  cancelledMoved: "mc",
  /** An event that was not sent was delivered later. */
  notSentMoved: "mn",
} as const;

/** The status of a delivery after an attempt: accepted, the last one that failed, retried, or cancelled then. */
const letters = { delivered: "a", failed: "f", pending: "r", cancelled: "c" } as const;
/** The attempt was not the first one of its delivery. */
const retryLetters = { delivered: "A", failed: "F", pending: "R", cancelled: "C" } as const;
type Letter = (typeof letters | typeof retryLetters)[keyof typeof letters];

/** An attempt: its letter, and the number of its duration. */
type AttemptField = `${Letter}${number}`;
export type LedgerField = (typeof fields)[keyof typeof fields] | AttemptField;

export interface CountedAttempt {
  readonly outcome: keyof typeof letters;
  readonly isRetry: boolean;
  /** See `bucketOf`. */
  readonly bucket: number;
}

export function toAttemptField({ outcome, isRetry, bucket }: CountedAttempt): LedgerField {
  return `${(isRetry ? retryLetters : letters)[outcome]}${bucket}`;
}

/** `undefined`: the field does not count attempts. */
export function parseAttempt(field: string): CountedAttempt | undefined {
  const [, letter = "", bucket = ""] = /^([afcr])(\d{1,2})$/iu.exec(field) ?? [];
  const outcome = deliveryStates.find((name) => letters[name] === letter.toLowerCase());
  if (outcome === undefined) return undefined;
  return { outcome, isRetry: letter !== letters[outcome], bucket: Number(bucket) };
}
