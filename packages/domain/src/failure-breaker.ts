/** Failed attempts in a row after which the owner is warned (specification, section 8). */
export const warnAfterFailures = 6;

/** Failed attempts in a row after which the webhook is switched off. */
export const switchOffAfterFailures = 30;

const warningIntervalMs = 24 * 60 * 60 * 1_000;

export interface FailureCount {
  /** Failed attempts since the last accepted one, over all deliveries of the webhook. */
  readonly consecutiveFailures: number;
  /** When the last warning was sent, in milliseconds since 1970; null when none ever was. */
  readonly lastWarningAt: number | null;
}

export interface CountedAttempt extends FailureCount {
  readonly action: "none" | "warn" | "switch_off";
}

/**
 * Counts one attempt (tests are not counted, resends are) and says what follows from it.
 *
 * The owner is warned from the 6th failure in a row on, at most once in 24 hours: at the 6th itself, unless an earlier
 * run of failures was warned about less than a day ago; in that case at the first failure after the day is over.
 * `switch_off` is said again for every further failure, since attempts in flight may end after it; only the
 * attempt that really moves the webhook's state may send the mail.
 */
export function countAttempt(
  { consecutiveFailures, lastWarningAt }: FailureCount,
  { accepted, now }: { readonly accepted: boolean; readonly now: number },
): CountedAttempt {
  if (accepted) return { consecutiveFailures: 0, lastWarningAt, action: "none" };
  const failures = consecutiveFailures + 1;
  if (failures >= switchOffAfterFailures) {
    return { consecutiveFailures: failures, lastWarningAt, action: "switch_off" };
  }
  // Either way: behind a clock that was set back the last warning lies ahead, and there would be none until then.
  const warnedLately = lastWarningAt !== null && Math.abs(now - lastWarningAt) < warningIntervalMs;
  if (failures >= warnAfterFailures && !warnedLately) {
    return { consecutiveFailures: failures, lastWarningAt: now, action: "warn" };
  }
  return { consecutiveFailures: failures, lastWarningAt, action: "none" };
}
