import type { OnError } from "@hookwright/domain";
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
  /** Resolves when what it takes at first has been looked into. */
  start(): Promise<void>;
  /** Resolves when the look and the pass that are under way have ended. No other follows. */
  stop(): Promise<void>;
}

export interface LookAroundOptions {
  readonly leases: PartitionLeases;
  readonly watches: PartitionWatches;
  readonly surplus: SurplusPartitions;
  readonly lanes: Lanes;
  readonly partitionScan: Pick<PartitionScan, "scan" | "isOwed">;
  readonly clock: Clock;
  /** Milliseconds from the beginning of one look to that of the next, where the store is quick enough for it. */
  readonly pollMs: number;
  readonly isRunning: () => boolean;
  readonly onFault: OnError;
}

/** Of the time from one look to the next, what it rests at least. */
const restShare = 0.1;
/**
 * After a look with many seeks, so long until the next. Nearly all that it finds is known: there is always much where endpoints fail.
 * What is new is told of, but for what a wake-up that was lost, or a process that stood still in between, has left.
 */
const restAfterManyMs = 10_000;
/** Nearly all are empty: a remote store is asked for so many of them in one round trip, and wakes up the less often. */
const partitionsAtOnce = 16;

/**
 * What was just won is looked into at once, for everything waits for it, and so is what could not be looked into. What it has had for a
 * while is passed through at leisure, and that may take many looks where there is much.
 */
export function createLookAround(options: LookAroundOptions): LookAround {
  const { leases, watches, surplus, lanes, partitionScan, clock, pollMs, isRunning, onFault } = options;
  const brisk = createBriskPace();
  const leisurely = createLeisurelyPace(clock);
  let looking = Promise.resolve();
  let passing: Promise<void> | undefined;
  let restsSince = Number.NEGATIVE_INFINITY;
  let cancelNext = (): void => {};

  async function look(): Promise<void> {
    const begunAt = clock.now();
    try {
      await leases.acquire();
      if (isRunning()) leases.held().forEach(watches.start);
      surplus.giveUp();
      const held = leases.held();
      const owed = held.filter(partitionScan.isOwed);
      const others = held.filter((partition) => !owed.includes(partition));
      if (others.length > 0 && !isResting()) passing ??= pass(others);
      await scanAll(owed, brisk);
      lanes.enqueueDue();
      lanes.forgetIdle();
    } catch (error) {
      onFault(error, { code: "queues_not_read" });
    }
    if (!isRunning()) return;
    // A clock of the host's own may have been set back meanwhile: then it took no time.
    const tookMs = Math.max(0, clock.now() - begunAt);
    cancelNext = clock.schedule(() => void (looking = look()), Math.max(pollMs * restShare, pollMs - tookMs));
  }

  async function pass(held: readonly string[]): Promise<void> {
    leisurely.begin();
    try {
      const isThrough = await scanAll(held, leisurely);
      restsSince = isThrough && leisurely.hasMany() ? clock.now() : Number.NEGATIVE_INFINITY;
    } finally {
      passing = undefined;
    }
  }

  /** A clock of the host's own may be set back: then it has rested for long enough. */
  function isResting(): boolean {
    const since = clock.now() - restsSince;
    return since >= 0 && since < restAfterManyMs;
  }

  /**
   * Goes on where one of them fails: what cannot be read in one partition must not keep what waits in the others. Where all that are
   * asked for together fail, the store is away. Answers whether it has come to all of them.
   */
  async function scanAll(partitions: readonly string[], pace: ScanPace): Promise<boolean> {
    const faults: { readonly error: unknown; readonly partition: string }[] = [];
    let isAway = false;
    for (let first = 0; first < partitions.length && isRunning() && !isAway; first += partitionsAtOnce) {
      const some = partitions.slice(first, first + partitionsAtOnce);
      // Ends when all of them have: no two passes are under way.
      const scans = await Promise.allSettled(
        some.map((partition) => partitionScan.scan(partition, { reason: "unprompted", pace })),
      );
      const failed = scans.flatMap((result, index) =>
        result.status === "rejected" ? [{ error: result.reason, partition: some[index] ?? "" }] : [],
      );
      faults.push(...failed);
      isAway = failed.length === some.length;
    }
    // One of them: where the store is away they say the same.
    const [first] = faults;
    if (first !== undefined)
      onFault(first.error, {
        partition: first.partition,
        partitions: faults.length,
        code: "queues_not_read",
      });
    return !isAway;
  }

  return {
    start() {
      looking = look();
      return looking;
    },
    async stop() {
      cancelNext();
      leisurely.stop();
      await looking;
      await passing;
    },
  };
}
