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
/** Nearly all are empty: a remote store is asked for so many of them in one round trip, and wakes up the less often. */
const partitionsAtOnce = 16;

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
      await scanAll(leases.held(), pace);
      lanes.forgetIdle();
    } catch (error) {
      onFault(error);
    }
    if (!isRunning()) return;
    const tookMs = clock.now() - begunAt;
    cancelNext = clock.schedule(lookLeisurely, Math.max(pollMs * (1 - lookShare), pollMs - tookMs));
  }

  /**
   * Goes on where one of them fails: what cannot be read in one partition must not keep what waits in the others. Where all that are
   * asked for together fail, the store is away.
   */
  async function scanAll(held: readonly string[], pace: ScanPace): Promise<void> {
    const faults: unknown[] = [];
    for (let first = 0; first < held.length && isRunning(); first += partitionsAtOnce) {
      const some = held.slice(first, first + partitionsAtOnce);
      // Ends when all of them have: no two looks are under way.
      const scans = await Promise.allSettled(
        some.map((partition) => scan(partition, { reason: "unprompted", pace })),
      );
      const failed = scans.filter((result) => result.status === "rejected");
      faults.push(...failed.map(({ reason }) => reason));
      if (failed.length === some.length) break;
    }
    // One of them: where the store is away they say the same.
    if (faults.length > 0) onFault(faults[0]);
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
