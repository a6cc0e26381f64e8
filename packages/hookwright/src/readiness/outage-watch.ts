import type { Readiness } from "@hookwright/api";
import type { Clock } from "@hookwright/delivery";

/** Follows an outage of the storage to its end, also if no probe calls `/readyz`. */
export interface OutageWatch {
  /** Reports a failure that an outage may have caused. */
  note(): void;
  close(): void;
}

export interface OutageWatchOptions {
  /** Checks the storage and logs the change of its state. */
  readonly check: () => Promise<Readiness>;
  readonly clock: Clock;
}

/** The time after which the check writes again. */
const againAfterMs = 1_000;

/** Checks once after a failure, and again every second until the storage is ready. */
export function createOutageWatch({ check, clock }: OutageWatchOptions): OutageWatch {
  let isWatching = false;
  let isClosed = false;
  let cancel = (): void => {};

  async function watch(): Promise<void> {
    const { ready } = await check();
    if (ready || isClosed) isWatching = false;
    else cancel = clock.schedule(() => void watch(), againAfterMs);
  }

  return {
    note() {
      if (isWatching || isClosed) return;
      isWatching = true;
      void watch();
    },
    close() {
      isClosed = true;
      cancel();
    },
  };
}
