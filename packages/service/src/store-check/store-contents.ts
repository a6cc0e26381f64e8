import { idTime } from "@hookwright/domain";
import type { Key } from "@hookwright/storage";

/** What a store has. After a restore it shows whether the data is there. */
export interface StoreContents {
  readonly rows: number;
  readonly accounts: number;
  readonly webhooks: number;
  /** Deliveries that wait for their first attempt or for a retry. */
  readonly pendingDeliveries: number;
  /**
   * When the newest record, delivery, webhook or entry of the audit log was written, in milliseconds since 1970. Undefined: there is
   * none.
   */
  readonly lastWrittenAt: number | undefined;
}

type Count = Exclude<keyof StoreContents, "rows" | "lastWrittenAt">;

const counted: ReadonlyMap<string, Count> = new Map([
  ["account", "accounts"],
  ["webhook", "webhooks"],
  ["fresh", "pendingDeliveries"],
  ["retry", "pendingDeliveries"],
]);

/** The time in the key of a row, in milliseconds. */
const times: ReadonlyMap<string, (key: Key) => number> = new Map([
  ["fresh", timeOfId],
  ["delivery", timeOfId],
  ["webhook", timeOfId],
  ["audit-log", timeOfId],
  // The arrival of a record, in microseconds.
  ["record-list", (key) => Math.floor(Number(key.at(-2)) / 1_000)],
]);

function timeOfId(key: Key): number {
  return idTime(String(key.at(-1)));
}

/** Counts the rows of a store while they are read. */
export function createContentsCount() {
  const counts = { rows: 0, accounts: 0, webhooks: 0, pendingDeliveries: 0 };
  let lastWrittenAt = Number.NEGATIVE_INFINITY;
  return {
    add(kind: string, key: Key): void {
      counts.rows += 1;
      const count = counted.get(kind);
      if (count !== undefined) counts[count] += 1;
      try {
        const time = times.get(kind)?.(key);
        if (time !== undefined && time > lastWrittenAt) lastWrittenAt = time;
      } catch {
        // The id is damaged, or has another form.
      }
    },
    read: (): StoreContents => ({
      ...counts,
      lastWrittenAt: Number.isFinite(lastWrittenAt) ? lastWrittenAt : undefined,
    }),
  };
}
