import type { OnError } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { keys, readLaneAddress } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import type { Clock } from "../../time/clock.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { NewsCounter } from "./news-counter.ts";
import { scanLanes } from "./scan-lanes.ts";
import type { FoundLane } from "./scan-lanes.ts";
import { createBriskPace } from "./scan-pace.ts";
import type { ScanPace } from "./scan-pace.ts";
import { createTenures } from "./tenures.ts";
import type { Tenure } from "./tenures.ts";

/** Webhooks asked for at once. */
const webhooksAtOnce = 16;

/** Looks into the store for work that nobody has handed over in memory. */
export interface PartitionScan {
  scan(partition: string, options: ScanOptions): Promise<void>;
  /** Somebody has told of something new beneath these keys: looks there alone, if it knows them all. */
  lookBeneath(partition: string, told: readonly Key[]): Promise<void>;
  /** Whether a look into it is owed: it was just won, or the last one failed. */
  isOwed(partition: string): boolean;
  /** Nobody knows what was written there: a look into it is owed. */
  owe(partition: string): void;
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

interface Look extends ScanOptions {
  readonly tenure: Tenure;
  /** Whether what is found has waited, nobody knows for how long. */
  readonly isBacklog: boolean;
  /** Whether the partition is still held as it was when the look began: reading takes time. */
  readonly isCurrent: () => boolean;
}

export interface PartitionScanOptions {
  readonly store: Store;
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly newsCounter: NewsCounter;
  /** What is to be done before the first look into a partition that was won. */
  readonly prepare: (partition: string) => Promise<void>;
  /** Whether this process works for the partition. */
  readonly worksFor: (partition: string) => boolean;
  /** Something was found and stands in the line. */
  readonly onFound: () => void;
  /** Told of what cannot be read and is passed over. */
  readonly onFault: OnError;
}

export function createPartitionScan({
  store,
  lanes,
  clock,
  newsCounter,
  prepare,
  worksFor,
  onFound,
  onFault,
}: PartitionScanOptions): PartitionScan {
  const tenures = createTenures({ clock, prepare });

  /** Looks into a partition that is held. Where that fails, a look is owed. */
  async function lookInto(
    partition: string,
    look: (tenure: Tenure, isCurrent: Look["isCurrent"]) => Promise<void>,
  ): Promise<void> {
    if (!worksFor(partition)) return;
    const tenure = tenures.of(partition);
    try {
      await tenure.whenPrepared();
      await look(tenure, () => worksFor(partition) && tenures.isCurrent(partition, tenure));
    } catch (error) {
      tenure.owe();
      throw error;
    }
  }

  /** A webhook another process removed leaves retries that are not due for minutes: they are cancelled now. */
  async function drainRemoved(
    addresses: readonly LaneAddress[],
    partition: string,
    { pace, isCurrent }: Pick<Look, "pace" | "isCurrent">,
  ): Promise<void> {
    for (let first = 0; first < addresses.length; first += webhooksAtOnce) {
      await pace.rest();
      if (!isCurrent()) return;
      const some = addresses.slice(first, first + webhooksAtOnce);
      const texts = await store.getMany(
        some.map(({ accountId, event, webhookId }) => keys.webhook(accountId, event, webhookId)),
      );
      some.forEach((address, index) => {
        if (texts[index] !== undefined || !isCurrent()) return;
        const lane = lanes.open(address, { partition, isBacklog: true });
        lane.drain();
        lanes.enqueue(lane);
        onFound();
      });
    }
  }

  /**
   * Visits the lanes of a queue, for as long as the partition is held: each in the very moment in which that was looked at. One that is
   * opened a moment later would be of a partition that others deliver for.
   */
  async function visitLanes(
    partition: string,
    queue: "fresh" | "retry",
    { tenure, pace, isCurrent }: Look,
    visit: (lane: FoundLane) => void,
  ): Promise<void> {
    let unreadable = 0;
    let firstUnreadable: Key | undefined;
    for await (const found of scanLanes({ store, partition, queue, pace })) {
      if (!isCurrent()) return;
      if (found.unreadable === undefined) visit(found);
      else {
        unreadable += 1;
        firstUnreadable ??= found.unreadable;
      }
    }
    // Every look finds them again, and while the later version is at work, more: they are told of once, and each time they are twice as many.
    if (firstUnreadable === undefined || unreadable < 2 * (tenure.unreadable.get(queue) ?? 0)) return;
    tenure.unreadable.set(queue, unreadable);
    onFault(unreadableQueues(queue, firstUnreadable, unreadable), {
      partition,
      queue,
      count: unreadable,
      code: "queues_unreadable",
    });
  }

  /** Every lane comes to its turn as it is found: looking at all of them may take a while. */
  async function scanFresh(partition: string, look: Look): Promise<void> {
    const { reason, isBacklog } = look;
    await visitLanes(partition, "fresh", look, ({ address, firstId }) => {
      const lane = lanes.open(address, { partition, isBacklog });
      // A busy lane fed by this process's own publishes need not read them back every second: what others wrote and
      // never told of comes to the head in its time.
      if (reason === "unprompted" && lane.isFed(firstId)) return;
      // It may have been opened a moment ago, for what this process has published.
      if (look.tenure.isNew()) lane.expectBacklog();
      lane.expectFresh();
      lanes.enqueue(lane);
      onFound();
      if (reason === "woken") newsCounter.add(lane);
    });
  }

  /** Answers the webhooks that have retries. */
  async function scanRetries(partition: string, look: Look): Promise<LaneAddress[]> {
    const { isBacklog } = look;
    const addresses: LaneAddress[] = [];
    await visitLanes(partition, "retry", look, ({ address, dueAt }) => {
      addresses.push(address);
      if (dueAt === undefined) return;
      lanes.expectRetry(lanes.open(address, { partition, isBacklog }), dueAt);
      onFound();
    });
    return addresses;
  }

  /** The retries, and then the webhooks of those that are gone. */
  async function lookForRetries(partition: string, look: Look): Promise<void> {
    await drainRemoved(await scanRetries(partition, look), partition, look);
  }

  const scan: PartitionScan["scan"] = (partition, { reason, pace }) =>
    lookInto(partition, async (tenure, isCurrent) => {
      const withRetries =
        reason === "woken" ? tenure.isNew() || tenure.mayLookWoken() : tenure.isTimeForRetries();
      const settle = tenure.beginLook();
      // The next look, in a second at the latest, finds what this one was told of.
      if (!withRetries && reason === "woken") tenure.owe();
      // What is found first was there before this process came, whoever has woken it.
      const isBacklog = tenure.isNew() || reason === "unprompted";
      const look: Look = { reason, pace, tenure, isBacklog, isCurrent };
      const ended = await Promise.allSettled([
        scanFresh(partition, look),
        withRetries ? lookForRetries(partition, look) : undefined,
      ]);
      for (const result of ended) if (result.status === "rejected") throw result.reason;
      if (isCurrent() && withRetries) settle();
    });

  return {
    scan,
    lookBeneath(partition, told) {
      const queues = told.filter(([within, queue]) => within === partition && queue === "fresh");
      const addresses = queues.map(readLaneAddress);
      const known = addresses.filter((address) => address !== undefined);
      // What a later version tells of, and what this one does not know, is for whoever knows it; the rest is looked for as ever.
      if (known.length < told.length) return scan(partition, { reason: "woken", pace: createBriskPace() });
      return lookInto(partition, async (tenure, isCurrent) => {
        if (!isCurrent()) return;
        for (const address of known) {
          const lane = lanes.open(address, { partition, isBacklog: tenure.isNew() });
          lane.expectFresh();
          lanes.enqueue(lane);
          newsCounter.add(lane);
        }
        onFound();
      });
    },
    isOwed: (partition) => tenures.of(partition).isOwed(),
    owe: (partition) => tenures.of(partition).owe(),
    drainRemoved: (addresses, partition) =>
      lookInto(partition, (_, isCurrent) =>
        drainRemoved(addresses, partition, { pace: createBriskPace(), isCurrent }),
      ),
    forget: tenures.forget,
  };
}

function unreadableQueues(queue: string, first: Key, count: number): Error {
  return new Error(
    `${queue} queues that this version cannot read: ${count}, the first at ${first.join("/")}; ` +
      "they wait for the version that has written them",
  );
}
