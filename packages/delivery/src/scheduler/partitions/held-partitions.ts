import type { OnError } from "@hookwright/domain";
import type { Check, Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import type { Clock } from "../../time/clock.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { createHeartbeat } from "../leases/heartbeat.ts";
import { createPartitionLeases } from "../leases/partition-leases.ts";
import type { WorkerIdentity } from "../leases/worker-identity.ts";
import { bringForwardRetries } from "../scanning/bring-forward-retries.ts";
import type { NewsCounter } from "../scanning/news-counter.ts";
import { createPartitionScan } from "../scanning/partition-scan.ts";
import { createBriskPace } from "../scanning/scan-pace.ts";
import { createLookAround } from "./look-around.ts";
import { createPartitionWatches } from "./partition-watches.ts";
import { createSurplusPartitions } from "./surplus-partitions.ts";
import type { PartitionWork } from "./surplus-partitions.ts";

/** The partitions this process works for: taken, kept, looked into for work, and given up or lost. */
export interface HeldPartitions {
  /** Takes what it can get. Resolves when it holds that and has looked into all of it. */
  start(): Promise<void>;
  /** Takes nothing any more, and keeps what it holds. Resolves when the look that is under way has ended. */
  stop(): Promise<void>;
  /** Once it has stopped: gives each of them back as soon as what is under way in it is durable. What takes long in one keeps no other waiting. */
  giveUpAll(): Promise<void>;
  /** Gives back what it still holds, whatever is under way. */
  release(): Promise<void>;
  held(): readonly string[];
  holds(partition: string): boolean;
  /** Whether it goes to another worker as soon as what is under way in it has ended: nothing new is begun there. */
  isLeaving(partition: string): boolean;
  /** The fencing check of one that is held. */
  fence(partition: string): Check | undefined;
  /** Until when, by this process's clock, nobody else can have taken anything of what it holds. */
  validUntil(): number;
  /** The same of one partition: 0 where it is not held. */
  heldUntil(partition: string): number;
  /** What was begun under this fence can be recorded no more. */
  lose(partition: string, fence: Check | undefined): void;
  /** It is looked into with the next look, if it is held. */
  owe(partition: string): void;
  /** A webhook was removed: what waits for it is cancelled now, also what is not due for minutes. */
  wake(lane: LaneAddress): void;
}

export interface HeldPartitionsOptions {
  readonly store: Store;
  readonly partitions: readonly string[];
  readonly worker: WorkerIdentity;
  readonly isProcessAlive?: ((process: number) => boolean) | undefined;
  readonly retryDelaysSeconds: readonly number[];
  readonly random: () => number;
  readonly clock: Clock;
  readonly pollMs: number;
  readonly lanes: Lanes;
  readonly newsCounter: NewsCounter;
  readonly isRunning: () => boolean;
  readonly work: PartitionWork;
  /** Turns may begin that could not before: work was found, or the leases hold again. */
  readonly onReady: () => void;
  readonly onFault: OnError;
}

export function createHeldPartitions(options: HeldPartitionsOptions): HeldPartitions {
  const { store, clock, pollMs, lanes, newsCounter, work, isRunning, onReady } = options;
  const leases = createPartitionLeases({ ...options, now: () => clock.now() });
  const heartbeat = createHeartbeat({ leases, clock, onLost: drop, onRenewed: onReady, onFault });
  const partitionScan = createPartitionScan({
    store,
    lanes,
    clock,
    newsCounter,
    async prepare(partition) {
      const fence = leases.fence(partition);
      if (fence !== undefined) await bringForwardRetries({ ...options, partition, fence, now: clock.now() });
    },
    worksFor: (partition) => isRunning() && leases.holds(partition),
    onFound: onReady,
    onFault,
  });
  const watches = createPartitionWatches({
    store,
    onWake: (partition, beneath) =>
      beneath === undefined
        ? partitionScan.scan(partition, { reason: "woken", pace: createBriskPace() })
        : partitionScan.lookBeneath(partition, beneath),
    isRunning,
    onFault,
  });
  const surplus = createSurplusPartitions({ leases, work, onLeft: drop, onFault });
  const lookAround = createLookAround({
    leases,
    watches,
    surplus,
    lanes,
    partitionScan,
    clock,
    pollMs,
    isRunning,
    onFault,
  });

  /** What was being looked for is not waited for at the end: the store may be closed by then. */
  function onFault(...[error, context]: Parameters<OnError>): void {
    if (isRunning()) options.onFault(error, context);
  }

  function drop(partition: string): void {
    leases.lose(partition);
    watches.stop(partition);
    lanes.drop(partition);
    partitionScan.forget(partition);
  }

  return {
    start() {
      heartbeat.start();
      return lookAround.start();
    },
    stop() {
      watches.stopAll();
      return lookAround.stop();
    },
    async giveUpAll() {
      // Or the others would leave what is given up to this one.
      await leases.leave();
      await surplus.giveUpAll();
    },
    release() {
      // Until now what is under way was this worker's alone.
      heartbeat.stop();
      return leases.release();
    },
    held: leases.held,
    holds: leases.holds,
    isLeaving: surplus.isLeaving,
    fence: leases.fence,
    validUntil: leases.validUntil,
    heldUntil: leases.heldUntil,
    lose(partition, fence) {
      const current = leases.fence(partition);
      // Under another fence it has been won back since.
      if (current === undefined || current === fence) drop(partition);
    },
    owe(partition) {
      if (leases.holds(partition)) partitionScan.owe(partition);
    },
    wake(lane) {
      if (!isRunning()) return;
      const [partition] = keys.freshLane(lane);
      if (leases.holds(partition))
        partitionScan
          .drainRemoved([lane], partition)
          .catch((error: unknown) => onFault(error, { partition, code: "queues_not_read" }));
    },
  };
}
