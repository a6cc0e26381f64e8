import type { Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { scanLanes } from "./scan-lanes.ts";
import { createBriskPace } from "./scan-pace.ts";
import type { ScanPace } from "./scan-pace.ts";

/** Webhooks asked for at once. */
const webhooksAtOnce = 16;

/** Looks into the store for work that nobody has handed over in memory. */
export interface PartitionScan {
  scan(partition: string, options: ScanOptions): Promise<void>;
  /** Whether it was looked at as a whole since it was won. */
  isExplored(partition: string): boolean;
  /** Lanes whose webhook is gone come to their turn now, to be cancelled. */
  drainRemoved(addresses: readonly LaneAddress[], partition: string): Promise<void>;
  /** The partition was lost: when it is won again, others have written to it. */
  forget(partition: string): void;
}

export interface ScanOptions {
  /** Whether somebody has told of a change, or nobody has. */
  readonly reason: "woken" | "unprompted";
  readonly pace: ScanPace;
  /**
   * Whether retries are looked for too, and webhooks that are gone. A partition's retries are written by the process that works for it,
   * which keeps in mind when the next of each webhook is due.
   *
   * @default true
   */
  readonly retries?: boolean | undefined;
}

interface Look extends Pick<ScanOptions, "reason" | "pace"> {
  /** Whether what is found has waited, nobody knows for how long. */
  readonly isBacklog: boolean;
}

export interface PartitionScanOptions {
  readonly store: Store;
  readonly lanes: Lanes;
  /** What is to be done before the first look into a partition that was won. */
  readonly prepare: (partition: string) => Promise<void>;
  /** Whether this process still works for the partition: reading takes time. */
  readonly worksFor: (partition: string) => boolean;
  /** Something was found and stands in the line. */
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
  const explored = new Set<string>();

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
      if (!worksFor(partition)) return;
      const some = addresses.slice(first, first + webhooksAtOnce);
      const texts = await store.getMany(
        some.map(({ accountId, event, webhookId }) => keys.webhook(accountId, event, webhookId)),
      );
      some.forEach((address, index) => {
        if (texts[index] !== undefined) return;
        const lane = lanes.open(address, { partition, isBacklog: true });
        lane.drain();
        lanes.enqueue(lane);
        onFound();
      });
    }
  }

  /** Every lane comes to its turn as it is found: looking at all of them may take a while. */
  async function scanFresh(partition: string, { reason, pace, isBacklog }: Look): Promise<void> {
    for await (const { address, firstId } of scanLanes(store, partition, "fresh", pace)) {
      if (!worksFor(partition)) return;
      const lane = lanes.open(address, { partition, isBacklog });
      // A busy lane fed by this process's own publishes need not read them back every second: what others wrote and
      // never told of comes to the head in its time.
      if (reason === "unprompted" && lane.isFed(firstId)) continue;
      lane.expectFresh();
      lanes.enqueue(lane);
      onFound();
    }
  }

  /** Answers the webhooks that have retries. */
  async function scanRetries(partition: string, { pace, isBacklog }: Look): Promise<LaneAddress[]> {
    const addresses: LaneAddress[] = [];
    for await (const { address, dueAt } of scanLanes(store, partition, "retry", pace)) {
      if (!worksFor(partition)) return [];
      addresses.push(address);
      if (dueAt === undefined) continue;
      lanes.expectRetry(lanes.open(address, { partition, isBacklog }), dueAt);
      onFound();
    }
    return addresses;
  }

  return {
    async scan(partition, { reason, pace, retries = true }) {
      await whenPrepared(partition);
      // What is found first was there before this process came, whoever has woken it; and everything waits for it.
      const isFirst = !explored.has(partition);
      const look: Look = {
        reason,
        pace: isFirst ? createBriskPace() : pace,
        isBacklog: isFirst || reason === "unprompted",
      };
      const [, withRetries] = await Promise.all([
        scanFresh(partition, look),
        isFirst || retries ? scanRetries(partition, look) : [],
      ]);
      if (!worksFor(partition)) return;
      explored.add(partition);
      await drainRemoved(withRetries, partition, look.pace);
    },
    isExplored: (partition) => explored.has(partition),
    drainRemoved: (addresses, partition) => drainRemoved(addresses, partition, createBriskPace()),
    forget(partition) {
      prepared.delete(partition);
      explored.delete(partition);
    },
  };
}
