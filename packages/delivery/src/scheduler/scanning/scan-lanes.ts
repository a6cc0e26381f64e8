import { isEventName } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import type { LaneAddress } from "../../rows/keys.ts";
import type { ScanPace } from "./scan-pace.ts";

/** Above every id, which are ASCII. */
const last = "\u{10FFFF}";

export interface FoundLane {
  readonly address: LaneAddress;
  /** The delivery at the head of the queue. */
  readonly firstId: string;
  /** Of the first entry in the retry queue. */
  readonly dueAt: number | undefined;
}

/** Every lane of a partition that has deliveries in this queue: one seek for each, however long the queues are. */
export async function* scanLanes(
  store: Store,
  partition: string,
  queue: "fresh" | "retry",
  pace: ScanPace,
): AsyncGenerator<FoundLane, void, undefined> {
  const prefix: Key = [partition, queue];
  let after: Key | undefined;
  for (;;) {
    await pace.rest();
    const [entry] = await store.list({ prefix, limit: 1, after });
    if (entry === undefined) return;
    const [, , accountId, event, webhookId, dueAt] = entry.key;
    const firstId = entry.key.at(-1);
    if (
      typeof accountId !== "string" ||
      typeof event !== "string" ||
      typeof webhookId !== "string" ||
      typeof firstId !== "string" ||
      !isEventName(event)
    ) {
      throw new Error(`unexpected ${queue} key ${entry.key.join("/")}`);
    }
    yield {
      address: { accountId, event, webhookId },
      firstId,
      dueAt: typeof dueAt === "number" ? dueAt : undefined,
    };
    after =
      queue === "fresh"
        ? [partition, queue, accountId, event, webhookId, last]
        : [partition, queue, accountId, event, webhookId, Number.MAX_SAFE_INTEGER, last];
  }
}
