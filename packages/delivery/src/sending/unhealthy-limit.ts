/** Above this delay of the event loop, attempts for unhealthy endpoints slow down the others. */
const maximumDelayMs = 2;
/** Unhealthy endpoints always have this many attempts, so that a busy process does not starve them. */
const minimumLimit = 32;

/**
 * How many attempts of unhealthy endpoints may run at once, together: an AIMD concurrency limit by the delay of the event loop.
 *
 * A tick in which it is used up adds one. A tick that starts late halves it: then the process is busy, and attempts that
 * will probably fail make the others wait.
 */
export function createUnhealthyLimit(maximumLimit: number) {
  let limit = Math.min(minimumLimit, maximumLimit);
  return {
    get limit(): number {
      return limit;
    },
    /** Call it when a tick of the event loop starts attempts. */
    onTick({ delayMs, inFlight }: { readonly delayMs: number; readonly inFlight: number }): void {
      if (delayMs > maximumDelayMs) limit = Math.max(Math.min(minimumLimit, maximumLimit), limit >> 1);
      else if (inFlight >= limit) limit = Math.min(maximumLimit, limit + 1);
    },
  };
}
