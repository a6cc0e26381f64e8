export type EndpointLimits = ReturnType<typeof createEndpointLimits>;

interface AttemptTimes {
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface EndpointLimitsOptions {
  /** The longest back-off. 0: no back-off. */
  readonly maximumBackoffMs: number;
  readonly random: () => number;
}

/** Enough to keep the schedule of a few deliveries whose attempts all time out. */
const minimumLimit = 8;
const maximumLimit = 64;
/** The back-off begins with this many failures in a row (contract: Failures in a row). */
const failuresBeforeBackoff = 10;
/** An endpoint is unhealthy from a failure until this many successes in a row. */
const successesUntilHealthy = 8;
const firstBackoffMs = 100;
const jitter = 0.1;

/**
 * How many attempts of one endpoint may run at once, and when the next may start.
 *
 * A concurrency limit as in TCP: a success adds one (slow start), a failure halves it.
 *
 * After ten failures in a row, attempts run one at a time and are spaced by 0.1, 0.2, 0.4 … 30 s. One success ends the back-off.
 * Failures of attempts that were in flight when it began are not counted: they say no more than the tenth.
 */
export function createEndpointLimits({ maximumBackoffMs, random }: EndpointLimitsOptions) {
  let limit = minimumLimit;
  let failures = 0;
  /** Successes since the last failure. */
  let successes = successesUntilHealthy;
  let backoffUntil = 0;
  /** When the last counted failure ended. */
  let failedAt = Number.NEGATIVE_INFINITY;

  function isBackingOff(): boolean {
    return maximumBackoffMs > 0 && failures >= failuresBeforeBackoff;
  }

  function backoffMs(): number {
    const doubled = firstBackoffMs * 2 ** Math.min(failures - failuresBeforeBackoff, 32);
    const jittered = doubled * (1 - jitter + 2 * jitter * random());
    return Math.round(Math.min(maximumBackoffMs, jittered));
  }

  return {
    /** Attempts that may run at once. */
    get limit(): number {
      return isBackingOff() ? 1 : limit;
    },
    /** Whether attempts are made one at a time, with pauses. */
    get isBackingOff(): boolean {
      return isBackingOff();
    },
    /** Attempts that failed since the last success. */
    get failures(): number {
      return failures;
    },
    /** Whether an attempt failed lately. */
    get isUnhealthy(): boolean {
      return successes < successesUntilHealthy;
    },
    /** No attempt starts before this time. 0: no back-off. */
    get backoffUntil(): number {
      return backoffUntil;
    },
    /** Continues from what was recorded before this worker started. */
    restore(recordedFailures: number, recordedBackoffUntil: number, now: number): void {
      failures = recordedFailures;
      if (failures > 0) successes = 0;
      // A clock that was set back must not make the back-off longer.
      backoffUntil = isBackingOff() ? Math.min(recordedBackoffUntil, now + maximumBackoffMs) : 0;
    },
    /** A delivery was cancelled. It sent nothing, so the next ones need not wait, and more may be cancelled at once. */
    onCancelled(): void {
      failures = 0;
      backoffUntil = 0;
      limit = Math.min(maximumLimit, limit + 1);
    },
    /**
     * Call it when an attempt ends, before the next one starts.
     *
     * @returns whether it counts as one of the failures in a row
     */
    onResult(accepted: boolean, { startedAt, endedAt }: AttemptTimes): boolean {
      if (accepted) {
        failures = 0;
        successes += 1;
        backoffUntil = 0;
        limit = Math.min(maximumLimit, limit + 1);
        return true;
      }
      // A clock that was set back must not keep failures from counting.
      if (isBackingOff() && startedAt <= failedAt && failedAt <= endedAt) return false;
      failures += 1;
      successes = 0;
      failedAt = endedAt;
      limit = Math.max(minimumLimit, limit >> 1);
      if (isBackingOff()) backoffUntil = endedAt + backoffMs();
      return true;
    },
  };
}
