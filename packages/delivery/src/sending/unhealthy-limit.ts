/** Above this delay of the event loop, attempts for unhealthy endpoints slow down the others. */
const maximumDelayMs = 2;
/** With more results that wait to be recorded, the commits of publishes wait behind them. */
const maximumUnrecorded = 6;
/** Unhealthy endpoints always have this many attempts, so that a busy process does not starve them. */
const minimumLimit = 32;

interface Tick {
  readonly delayMs: number;
  /** Results of all endpoints that wait to be recorded. */
  readonly unrecorded: number;
  /** Attempts of unhealthy endpoints. */
  readonly inFlight: number;
}

/**
 * How many attempts of unhealthy endpoints may run at once, together: an AIMD concurrency limit by the delays of the event loop and of
 * the store.
 *
 * A tick in which it is used up adds one. A tick that starts late, or while many results wait to be recorded, halves it: then the
 * process or the store is busy, and attempts that will probably fail make the others wait.
 */
export function createUnhealthyLimit(maximumLimit: number) {
  let limit = Math.min(minimumLimit, maximumLimit);
  return {
    get limit(): number {
      return limit;
    },
    /** Call it when a tick of the event loop starts attempts. */
    onTick({ delayMs, unrecorded, inFlight }: Tick): void {
      const isBusy = delayMs > maximumDelayMs || unrecorded > maximumUnrecorded;
      if (isBusy) limit = Math.max(Math.min(minimumLimit, maximumLimit), limit >> 1);
      else if (inFlight >= limit) limit = Math.min(maximumLimit, limit + 1);
    },
  };
}
