import type { Clock } from "@hookwright/delivery";

/** A value that takes time to measure. */
export interface Measurement<Value> {
  /** Measures if the last value is old, and waits at most a second for it. Undefined: the value is unknown. */
  read(): Promise<Value | undefined>;
}

/** A value is used this long, or longer if measuring it takes long. */
const freshMs = 10_000;
/** At most 1/50 of the time is spent on measuring. */
const restPerWork = 50;
/** A scrape waits no longer. The next one has the value. */
const longestWaitMs = 1_000;
/** An older value misleads. */
const staleMs = 120_000;

/** Creates a measurement that is made only if somebody reads it, and never twice at once. */
export function createMeasurement<Value>({
  measure,
  clock,
}: {
  readonly measure: () => Promise<Value>;
  readonly clock: Clock;
}): Measurement<Value> {
  let last: { readonly value: Value | undefined; readonly endedAt: number } | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    const startedAt = clock.now();
    // A failed measurement ends the use of the last value.
    const value = await measure().catch(() => undefined);
    const endedAt = clock.now();
    last = { value, endedAt };
    nextAt = endedAt + Math.max(freshMs, (endedAt - startedAt) * restPerWork);
    running = undefined;
  }

  return {
    async read() {
      if (running === undefined && clock.now() >= nextAt) running = run();
      if (running !== undefined) {
        let cancel = (): void => {};
        const timeout = new Promise<void>((resolve) => (cancel = clock.schedule(resolve, longestWaitMs)));
        await Promise.race([running, timeout]);
        cancel();
      }
      return last === undefined || clock.now() - last.endedAt > Math.max(staleMs, 2 * (nextAt - last.endedAt))
        ? undefined
        : last.value;
    },
  };
}
