import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { LaneAddress } from "../rows/keys.ts";
import type { Lanes } from "./lanes.ts";
import { scanLanes } from "./scan-lanes.ts";

/** Looks into the store for work that nobody has handed over in memory. */
export interface PartitionScan {
  scan(partition: string, reason: "woken" | "unprompted"): Promise<void>;
  /** Lanes whose webhook is gone come to their turn now, to be cancelled. */
  drainRemoved(addresses: readonly LaneAddress[], partition: string): Promise<void>;
}

export interface PartitionScanOptions {
  readonly store: Store;
  readonly lanes: Lanes;
  /** Whether this process still works for the partition: reading takes time. */
  readonly worksFor: (partition: string) => boolean;
  /** What was found stands in the line. */
  readonly onFound: () => void;
}

export function createPartitionScan({
  store,
  lanes,
  worksFor,
  onFound,
}: PartitionScanOptions): PartitionScan {
  /** A webhook another process removed leaves retries that are not due for minutes: they are cancelled now. */
  async function drainRemoved(addresses: readonly LaneAddress[], partition: string): Promise<void> {
    if (addresses.length === 0) return;
    const texts = await store.getMany(
      addresses.map(({ accountId, event, webhookId }) => keys.webhook(accountId, event, webhookId)),
    );
    addresses.forEach((address, index) => {
      if (texts[index] !== undefined) return;
      const lane = lanes.open(address, partition);
      lane.drain();
      lanes.enqueue(lane);
    });
  }

  return {
    async scan(partition, reason) {
      const [fresh, retry] = await Promise.all([
        scanLanes(store, partition, "fresh"),
        scanLanes(store, partition, "retry"),
      ]);
      if (!worksFor(partition)) return;
      for (const { address, firstId } of fresh) {
        const lane = lanes.open(address, partition);
        // A busy lane fed by this process's own publishes need not read them back every second: what others wrote and
        // never told of comes to the head in its time.
        if (reason === "unprompted" && lane.isFed(firstId)) continue;
        lane.expectFresh();
        lanes.enqueue(lane);
      }
      for (const { address, dueAt } of retry) {
        if (dueAt !== undefined) lanes.expectRetry(lanes.open(address, partition), dueAt);
      }
      await drainRemoved(
        retry.map(({ address }) => address),
        partition,
      );
      onFound();
    },
    drainRemoved,
  };
}
