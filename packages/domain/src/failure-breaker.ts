/** The owner is warned after this many consecutive failures (specification, section 8). */
export const warnAfterFailures = 6;

/** The webhook is switched off after this many consecutive failures. */
export const switchOffAfterFailures = 30;

const warningIntervalMs = 24 * 60 * 60 * 1_000;

export interface FailureCount {
  /** Failed attempts since the last accepted one, over all deliveries of the webhook. */
  readonly consecutiveFailures: number;
  /** The time of the last warning in milliseconds since 1970, or null if there was none. */
  readonly lastWarningAt: number | null;
}

export interface CountedAttempt extends FailureCount {
  readonly action: "none" | "warn" | "switch_off";
}

/**
 * Counts one attempt and returns the resulting action. Test deliveries are not counted, resends are.
 *
 * The owner is warned at the 6th consecutive failure or later, at most once in 24 hours.
 * `switch_off` is repeated for every further failure, because attempts in flight may end later. Only the
 * attempt that changes the webhook's state sends the mail.
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
  // The absolute difference, because the clock may have been set back.
  const warnedLately = lastWarningAt !== null && Math.abs(now - lastWarningAt) < warningIntervalMs;
  if (failures >= warnAfterFailures && !warnedLately) {
    return { consecutiveFailures: failures, lastWarningAt: now, action: "warn" };
  }
  return { consecutiveFailures: failures, lastWarningAt, action: "none" };
}
