/** Above this delay of the event loop, attempts for unhealthy endpoints slow down the others. */
const maximumDelayMs = 2;
/** A result waits for the commit that runs and for its own. Above this delay, the store is slow, and publishes wait for it too. */
const maximumStoreDelayMs = 50;
/** Unhealthy endpoints always have this many attempts, so that a busy process does not starve them. */
const minimumLimit = 32;

interface Tick {
  readonly delayMs: number;
  /** How long the oldest result that is not recorded has waited. */
  readonly storeDelayMs: number;
  /** Attempts of unhealthy endpoints. */
  readonly inFlight: number;
}

/**
 * How many attempts of unhealthy endpoints may run at once, together: an AIMD concurrency limit by the delays of the event loop and of
 * the store.
 *
 * A tick in which it is used up adds one. A tick that starts late, or while a result has waited long for the store, halves it: then
 * the process or the store is busy, and attempts that will probably fail make the others wait.
 */
export function createUnhealthyLimit(maximumLimit: number) {
  let limit = Math.min(minimumLimit, maximumLimit);
  return {
    get limit(): number {
      return limit;
    },
    /** Call it when a tick of the event loop starts attempts. */
    onTick({ delayMs, storeDelayMs, inFlight }: Tick): void {
      const isBusy = delayMs > maximumDelayMs || storeDelayMs > maximumStoreDelayMs;
      if (isBusy) limit = Math.max(Math.min(minimumLimit, maximumLimit), limit >> 1);
      else if (inFlight >= limit) limit = Math.min(maximumLimit, limit + 1);
    },
  };
}
