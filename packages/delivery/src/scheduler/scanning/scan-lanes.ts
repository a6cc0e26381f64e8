import type { Key, Store } from "@hookwright/storage";
import { readLaneAddress } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import type { ScanPace } from "./scan-pace.ts";

/** Above every number and every id, which are ASCII. */
const last = "\u{10FFFF}";

export interface FoundLane {
  readonly unreadable?: undefined;
  readonly address: LaneAddress;
  /** The delivery at the head of the queue. */
  readonly firstId: string;
  /** Of the first entry in the retry queue. */
  readonly dueAt: number | undefined;
}

export interface ScanLanesOptions {
  readonly store: Store;
  readonly partition: string;
  readonly queue: "fresh" | "retry";
  readonly pace: ScanPace;
}

/** A queue of which this version cannot say whose it is. */
export interface UnreadableLane {
  readonly unreadable: Key;
}

/** Every lane of a partition that has deliveries in this queue: one seek for each, however long the queues are. */
export async function* scanLanes({
  store,
  partition,
  queue,
  pace,
}: ScanLanesOptions): AsyncGenerator<FoundLane | UnreadableLane, void, undefined> {
  const prefix: Key = [partition, queue];
  let after: Key | undefined;
  for (;;) {
    await pace.rest();
    const [entry] = await store.list({ prefix, limit: 1, after });
    if (entry === undefined) return;
    yield readLane(entry.key) ?? { unreadable: entry.key };
    after = behindLaneOf(entry.key);
  }
}

function readLane(key: Key): FoundLane | undefined {
  const address = readLaneAddress(key);
  const dueAt = key[5];
  const firstId = key.at(-1);
  if (address === undefined || typeof firstId !== "string") return undefined;
  return { address, firstId, dueAt: typeof dueAt === "number" ? dueAt : undefined };
}

/** Behind all that begin like this one, up to its webhook. */
function behindLaneOf(key: Key): Key {
  const [partition, queue, accountId, event, webhookId] = key;
  if (queue === undefined || accountId === undefined || event === undefined || webhookId === undefined)
    return key;
  return [partition, queue, accountId, event, webhookId, last];
}
