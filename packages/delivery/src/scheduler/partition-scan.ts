import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { LaneAddress } from "../rows/keys.ts";
import type { Lanes } from "./lanes.ts";
import { scanLanes } from "./scan-lanes.ts";
import { createBriskPace } from "./scan-pace.ts";
import type { ScanPace } from "./scan-pace.ts";

/** Webhooks asked for at once. */
const webhooksAtOnce = 16;

/** Looks into the store for work that nobody has handed over in memory. */
export interface PartitionScan {
  scan(partition: string, options: ScanOptions): Promise<void>;
  /** Lanes whose webhook is gone come to their turn now, to be cancelled. */
  drainRemoved(addresses: readonly LaneAddress[], partition: string): Promise<void>;
  /** The partition was lost: when it is won again, others have written to it. */
  forget(partition: string): void;
}

export interface ScanOptions {
  /** Whether somebody has told of a change, or nobody has. */
  readonly reason: "woken" | "unprompted";
  readonly pace: ScanPace;
}

export interface PartitionScanOptions {
  readonly store: Store;
  readonly lanes: Lanes;
  /** What is to be done before the first look into a partition that was won. */
  readonly prepare: (partition: string) => Promise<void>;
  /** Whether this process still works for the partition: reading takes time. */
  readonly worksFor: (partition: string) => boolean;
  /** What was found stands in the line. */
  readonly onFound: () => void;
}

export function createPartitionScan({
  store,
  lanes,
  prepare,
  worksFor,
  onFound,
}: PartitionScanOptions): PartitionScan {
  const prepared = new Map<string, Promise<void>>();

  /** Once, however many look at it together; a fault of the store is tried again with the next look. */
  function whenPrepared(partition: string): Promise<void> {
    const known = prepared.get(partition);
    if (known !== undefined) return known;
    if (!worksFor(partition)) return Promise.resolve();
    const preparing = prepare(partition);
    prepared.set(partition, preparing);
    preparing.catch(() => prepared.delete(partition));
    return preparing;
  }

  /** A webhook another process removed leaves retries that are not due for minutes: they are cancelled now. */
  async function drainRemoved(
    addresses: readonly LaneAddress[],
    partition: string,
    pace: ScanPace,
  ): Promise<void> {
    if (addresses.length === 0) return;
    await whenPrepared(partition);
    for (let first = 0; first < addresses.length; first += webhooksAtOnce) {
      await pace.rest();
      const some = addresses.slice(first, first + webhooksAtOnce);
      const texts = await store.getMany(
        some.map(({ accountId, event, webhookId }) => keys.webhook(accountId, event, webhookId)),
      );
      some.forEach((address, index) => {
        if (texts[index] !== undefined) return;
        const lane = lanes.open(address, { partition, isBacklog: true });
        lane.drain();
        lanes.enqueue(lane);
      });
    }
  }

  return {
    async scan(partition, { reason, pace }) {
      await whenPrepared(partition);
      const [fresh, retry] = await Promise.all([
        scanLanes(store, partition, "fresh", pace),
        scanLanes(store, partition, "retry", pace),
      ]);
      if (!worksFor(partition)) return;
      const isBacklog = reason === "unprompted";
      for (const { address, firstId } of fresh) {
        const lane = lanes.open(address, { partition, isBacklog });
        // A busy lane fed by this process's own publishes need not read them back every second: what others wrote and
        // never told of comes to the head in its time.
        if (reason === "unprompted" && lane.isFed(firstId)) continue;
        lane.expectFresh();
        lanes.enqueue(lane);
      }
      for (const { address, dueAt } of retry) {
        if (dueAt !== undefined) lanes.expectRetry(lanes.open(address, { partition, isBacklog }), dueAt);
      }
      await drainRemoved(
        retry.map(({ address }) => address),
        partition,
        pace,
      );
      onFound();
    },
    drainRemoved: (addresses, partition) => drainRemoved(addresses, partition, createBriskPace()),
    forget: (partition) => void prepared.delete(partition),
  };
}
