import type { Key, Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import { parseDeliveryRow } from "../../rows/delivery-row.ts";
import type { DeliveryRow } from "../../rows/delivery-row.ts";
import { latelyMs } from "./published-lately.ts";

/** Asked before every read: whatever else waits has its turn meanwhile. */
export type Rest = () => Promise<void> | undefined;

/** What other processes publish to one webhook: it is counted when it is told of, for behind a backlog it is old when it is read. */
export interface QueueNews {
  /**
   * How much was published lately that was not there the last time, and is not taken. This process's own is among it.
   *
   * @throws {StorageError} what {@link Store.list} throws
   */
  count(now: number, rest: Rest): Promise<number>;
  /** Whether it has been counted before. */
  hasCounted(): boolean;
  /** Whether it was there the last time, or has come before what was. */
  hasSeen(id: string): boolean;
}

export interface QueueNewsOptions {
  readonly store: Store;
  readonly address: LaneAddress;
  /** Whether it has been read, and is not forgotten yet. */
  readonly isTaken: (id: string) => boolean;
  /** Whether what is in the store may have waited there for long. */
  readonly isBacklog: () => boolean;
}

/**
 * From the newest on they are read in windows of so many, and so many are remembered. Ids of several processes need not come in the order of their
 * clocks: what is further behind is counted when it is read, as it was before anybody told of anything.
 */
const windowSize = 16;
/** Of a larger heap the rest is counted when it is read as well. */
const mostRead = 1_024;
/**
 * So many or more of those that were found waiting are a backlog, however young: an endpoint that is slow could not work them off soon. Fewer have
 * waited for a worker, for fifteen seconds where that was killed, and are soon where they would have been.
 */
const manyFound = 256;

export function createQueueNews({ store, address, isTaken, isBacklog }: QueueNewsOptions): QueueNews {
  let newest: readonly string[] | undefined;

  return {
    async count(now, rest) {
      const isFound = newest === undefined && isBacklog();
      const seen: string[] = [];
      let news = 0;
      let before: Key | undefined;
      for (let isWhole = false; !isWhole;) {
        await rest();
        const entries = await store.list({
          prefix: keys.freshLane(address),
          limit: windowSize,
          reverse: true,
          before,
        });
        for (const { key, value } of entries) {
          const id = freshId(key);
          seen.push(id);
          if (newest?.includes(id)) isWhole = true;
          else if (!isTaken(id) && isLatelyAsText(value, now)) news += 1;
        }
        before = entries.at(-1)?.key;
        isWhole ||= entries.length < windowSize || isTaken(seen.at(-1) ?? "");
        if (isWhole || seen.length < (isFound ? manyFound : mostRead)) continue;
        if (isFound) news = 0;
        break;
      }
      newest = seen.slice(0, windowSize);
      return news;
    },
    hasCounted: () => newest !== undefined,
    hasSeen: (id) => id <= (newest?.[0] ?? ""),
  };
}

/** @throws Error where it is no key of a queue */
export function freshId(key: Key): string {
  const id = key.at(-1);
  if (typeof id !== "string") throw new Error(`unexpected fresh key ${key.join("/")}`);
  return id;
}

/** Another process may have published it, whose clock is not this one. */
export function isLately({ created_at: createdAt }: DeliveryRow, now: number): boolean {
  return Math.abs(now - createdAt) < latelyMs;
}

/** One that is damaged is told of when it is read. */
function isLatelyAsText(text: string, now: number): boolean {
  try {
    return isLately(parseDeliveryRow(text), now);
  } catch {
    return false;
  }
}
