import type { Store } from "@hookwright/storage";
import type { LaneAddress } from "../../rows/keys.ts";
import type { DeliveryRow } from "../../rows/delivery-row.ts";
import { createPublishedLately } from "./published-lately.ts";
import { createQueueNews, isLately } from "./queue-news.ts";
import type { Rest } from "./queue-news.ts";

/** Turns that a webhook is owed without pace, should it be slow: one for each delivery that was published lately. */
export interface OwedTurns {
  isNone(now: number): boolean;
  take(): void;
  /**
   * This process has published one.
   *
   * @param isKept whether it is in memory: then it is not read
   */
  offered(now: number, isKept: boolean): void;
  /** One that was not in memory has been read. */
  read(delivery: DeliveryRow, now: number): void;
  /** The last window of the queue is being read. */
  endsHere(): void;
  /** It has been, and nothing has come behind it: whatever is counted is in memory. */
  allRead(): void;
  /** What waits was found when the partition was won, also where something was offered before that. */
  expectBacklog(): void;
  /** Found waiting, and nobody has looked yet how much there is of it. */
  isUnknownBacklog(): boolean;
  /**
   * Counts what another process has published lately, for it may be a while until that is read; and what was found, where that is little.
   *
   * @throws {StorageError} what {@link Store.list} throws
   */
  countNews(now: number, rest: Rest): Promise<void>;
}

export interface OwedTurnsOptions {
  readonly store: Store;
  readonly address: LaneAddress;
  /** Whether its deliveries have waited, nobody knows for how long or why. */
  readonly isBacklog: boolean;
  /** Whether a delivery has been read, and is not forgotten yet. */
  readonly isTaken: (id: string) => boolean;
  /** Whether it has, and its turn has not come. */
  readonly isWaiting: (id: string) => boolean;
}

/** It keeps numbers, not deliveries: each is counted once, when it is offered, told of or read, whichever is first. */
export function createOwedTurns(options: OwedTurnsOptions): OwedTurns {
  const { store, address, isBacklog, isTaken, isWaiting } = options;
  const publishedLately = createPublishedLately();
  /** It was found waiting, and has not been read to its end yet: what is read of it is no news. How much there is of it is looked up apart. */
  let isFound = isBacklog;
  /** Of what was published here and is counted, how many are in the store alone, and were not there when news were counted last. */
  let offeredUnseen = 0;
  /** How many were there, are counted and have not been read. */
  let seenUnread = 0;
  const news = createQueueNews({
    store,
    address,
    // What was read of a queue that was found is not counted yet.
    isTaken: (id) => isTaken(id) && !(isFound && isWaiting(id)),
    isBacklog: () => isFound,
  });

  return {
    isNone: publishedLately.isEmpty,
    take: publishedLately.take,
    offered(now, isKept) {
      publishedLately.add(now);
      if (!isKept) offeredUnseen += 1;
    },
    read(delivery, now) {
      if (isFound || !isLately(delivery, now)) return;
      const isSeen = news.hasSeen(delivery.id);
      if (isSeen && seenUnread > 0) seenUnread -= 1;
      else if (!isSeen && offeredUnseen > 0) offeredUnseen -= 1;
      // Another process has published it, and nobody has told of it yet.
      else publishedLately.add(now);
    },
    endsHere() {
      isFound = false;
    },
    allRead() {
      offeredUnseen = seenUnread = 0;
    },
    expectBacklog() {
      isFound = true;
    },
    isUnknownBacklog: () => isFound && !news.hasCounted(),
    async countNews(now, rest) {
      const offered = offeredUnseen;
      const published = await news.count(now, rest);
      // Some of them may have been read meanwhile.
      const own = Math.min(offered, offeredUnseen);
      for (let counted = own; counted < published; counted += 1) publishedLately.add(now);
      offeredUnseen -= own;
      seenUnread += published;
    },
  };
}
