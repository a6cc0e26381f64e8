/** The owner is warned after this many consecutive failures (specification, section 8). */
export const warnAfterFailures = 6;

/** By default, the webhook is switched off after this many consecutive failures. */
export const switchOffAfterFailures = 30;

const warningIntervalMs = 24 * 60 * 60 * 1_000;

/** The back-off begins with this many failures in a row (contract: Failures in a row). */
const failuresBeforeBackoff = 10;
const firstBackoffMs = 100;
const jitter = 0.1;

export interface FailureCount {
  /** Failed attempts since the last accepted one, over all deliveries of the webhook. */
  readonly consecutiveFailures: number;
  /** The time of the last warning in milliseconds since 1970, or null if there was none. */
  readonly lastWarningAt: number | null;
}

export interface CountedAttempt extends FailureCount {
  readonly action: "none" | "warn" | "switch_off";
}

/** After how many failures in a row a webhook is switched off. `off`: never. */
export type SwitchOffAfter = number | "off";

/**
 * Counts one attempt and returns the resulting action. Test deliveries are not counted, resends are.
 *
 * The owner is warned at the 6th consecutive failure or later, at most once in 24 hours.
 * `switch_off` is repeated for every further failure, because attempts in flight may end later. Only the
 * attempt that changes the webhook's state sends the mail.
 */
export function countAttempt(
  { consecutiveFailures, lastWarningAt }: FailureCount,
  {
    accepted,
    now,
    switchOffAfter = switchOffAfterFailures,
  }: {
    readonly accepted: boolean;
    readonly now: number;
    readonly switchOffAfter?: SwitchOffAfter | undefined;
  },
): CountedAttempt {
  if (accepted) return { consecutiveFailures: 0, lastWarningAt, action: "none" };
  const failures = consecutiveFailures + 1;
  if (switchOffAfter !== "off" && failures >= switchOffAfter) {
    return { consecutiveFailures: failures, lastWarningAt, action: "switch_off" };
  }
  // The absolute difference, because the clock may have been set back.
  const warnedLately = lastWarningAt !== null && Math.abs(now - lastWarningAt) < warningIntervalMs;
  if (failures >= warnAfterFailures && !warnedLately) {
    return { consecutiveFailures: failures, lastWarningAt: now, action: "warn" };
  }
  return { consecutiveFailures: failures, lastWarningAt, action: "none" };
}

/** Whether so many failures in a row space the attempts of a webhook. */
export function isBackingOff(failures: number): boolean {
  return failures >= failuresBeforeBackoff;
}

/**
 * The pause after so many failures in a row: 0.1 s after ten, doubled with each further one, with a jitter of 10 %.
 *
 * @param random returns a number from 0 to 1, like `Math.random`
 */
export function backoffMs(failures: number, maximumMs: number, random: () => number): number {
  if (!isBackingOff(failures)) return 0;
  const doubled = firstBackoffMs * 2 ** Math.min(failures - failuresBeforeBackoff, 32);
  return Math.round(Math.min(maximumMs, doubled * (1 - jitter + 2 * jitter * random())));
}
