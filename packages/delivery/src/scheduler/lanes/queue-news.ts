import type { Key, Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import { parseDeliveryRow } from "../../rows/delivery-row.ts";
import type { DeliveryRow } from "../../rows/delivery-row.ts";
import { latelyMs } from "./published-lately.ts";

/** What other processes publish to one webhook: it is counted when it is told of, for behind a backlog it is old when it is read. */
export interface QueueNews {
  /**
   * How much was published lately that was not there the last time, and is not taken. This process's own is among it.
   *
   * @throws {StorageError} what {@link Store.list} throws
   */
  count(now: number): Promise<number>;
  /** Whether it was there the last time: then it is counted, or no news. */
  isCounted(id: string): boolean;
}

export interface QueueNewsOptions {
  readonly store: Store;
  readonly address: LaneAddress;
  /** Whether it has been read, and is not forgotten yet. */
  readonly isTaken: (id: string) => boolean;
  /** Whether what is in the store may have waited there for long. */
  readonly isBacklog: () => boolean;
}

/** From the newest on they are read in windows of so many, and that is what is remembered of them: ids of several processes need not come in their order. */
const windowSize = 16;
/** Of a larger heap the rest is a backlog. */
const mostRead = 1_024;
/**
 * What is found with more than this waiting is a backlog, however young: one that is slow could not have worked it off soon. With fewer it has
 * waited for its worker, for fifteen seconds if that was killed, and is as soon where it would have been.
 */
const mostFound = 256;

export function createQueueNews({ store, address, isTaken, isBacklog }: QueueNewsOptions): QueueNews {
  let newest: readonly string[] = [];

  return {
    async count(now) {
      // Of a backlog nobody knows what has come since it was found, but for its end: that is looked up first.
      const isFirstLook = isBacklog() && newest.length === 0;
      const seen: string[] = [];
      let news = 0;
      let before: Key | undefined;
      for (let isWhole = false; !isWhole;) {
        const entries = await store.list({
          prefix: keys.freshLane(address),
          limit: windowSize,
          reverse: true,
          before,
        });
        for (const { key, value } of entries) {
          const id = freshId(key);
          seen.push(id);
          if (newest.includes(id)) isWhole = true;
          else if (!isTaken(id) && isLatelyAsText(value, now)) news += 1;
        }
        before = entries.at(-1)?.key;
        isWhole ||= entries.length < windowSize || isTaken(seen.at(-1) ?? "");
        if (isWhole || seen.length < (isFirstLook ? mostFound : mostRead)) continue;
        if (isFirstLook) news = 0;
        break;
      }
      newest = seen.slice(0, windowSize);
      return news;
    },
    isCounted: (id) => newest[0] !== undefined && id <= newest[0],
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
