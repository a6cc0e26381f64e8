import type { Clock } from "../../time/clock.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { PartitionLeases } from "../leases/partition-leases.ts";
import type { PartitionScan } from "../scanning/partition-scan.ts";
import { createBriskPace, createLeisurelyPace } from "../scanning/scan-pace.ts";
import type { ScanPace } from "../scanning/scan-pace.ts";
import type { PartitionWatches } from "./partition-watches.ts";
import type { SurplusPartitions } from "./surplus-partitions.ts";

/** Takes what is free, gives up what is more than its share, and looks for what no wake-up told of: again and again. */
export interface LookAround {
  /** Resolves after the first look, which is made without a rest: everything waits for it. */
  start(): Promise<void>;
  /** Resolves when the look that is under way has ended. No other follows. */
  stop(): Promise<void>;
}

export interface LookAroundOptions {
  readonly leases: PartitionLeases;
  readonly watches: PartitionWatches;
  readonly surplus: SurplusPartitions;
  readonly lanes: Lanes;
  readonly scan: PartitionScan["scan"];
  readonly clock: Clock;
  /** Milliseconds from the beginning of one look to that of the next, where the store is quick enough for it. */
  readonly pollMs: number;
  readonly isRunning: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/** Of the time from one look to the next, what a look is spread over. */
const lookShare = 0.9;

export function createLookAround(options: LookAroundOptions): LookAround {
  const { leases, watches, surplus, lanes, scan, clock, pollMs, isRunning, onFault } = options;
  const leisurely = createLeisurelyPace({ clock, roundMs: pollMs * lookShare });
  let looking = Promise.resolve();
  let cancelNext = (): void => {};

  async function look(pace: ScanPace): Promise<void> {
    const begunAt = clock.now();
    try {
      await leases.acquire();
      if (isRunning()) leases.held().forEach(watches.start);
      surplus.giveUp();
      for (const partition of leases.held()) {
        if (isRunning()) await scan(partition, { reason: "unprompted", pace });
      }
      lanes.forgetIdle();
    } catch (error) {
      if (isRunning()) onFault(error);
    }
    if (!isRunning()) return;
    const tookMs = clock.now() - begunAt;
    cancelNext = clock.schedule(lookLeisurely, Math.max(pollMs * (1 - lookShare), pollMs - tookMs));
  }

  function lookLeisurely(): void {
    leisurely.begin();
    looking = look(leisurely);
  }

  return {
    start() {
      looking = look(createBriskPace());
      return looking;
    },
    stop() {
      cancelNext();
      leisurely.stop();
      return looking;
    },
  };
}
