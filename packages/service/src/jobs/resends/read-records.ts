import type { OnUnreadable } from "@hookwright/delivery";
import type { Key } from "@hookwright/storage";
import { possibleKinds } from "../../lookups/find-records.ts";
import type { SearchContext } from "../../lookups/search-context.ts";
import { keys } from "../../rows/keys.ts";
import { parseRecordRow } from "../../rows/record-row.ts";
import type { RecordRow } from "../../rows/record-row.ts";

type RecordContext = Pick<SearchContext, "store" | "events">;

/** A record that was published under an event. */
export interface WantedRecord {
  readonly event: string;
  readonly recordId: string;
  readonly recordArrival: number;
}

export interface StoredRecord {
  readonly recordId: string;
  readonly recordKey: Key;
  readonly recordText: string;
  readonly record: RecordRow;
}

export interface ReadRecords {
  readonly all: readonly StoredRecord[];
  /** The stored record. Undefined if it was deleted, cannot be read, or if another one has its id now. */
  find(wanted: WantedRecord): StoredRecord | undefined;
  isUnreadable(wanted: WantedRecord): boolean;
}

/**
 * Reads records. This process may not know an event, or know another kind of it. Then a record is searched among all kinds: the one that
 * has the arrival number and was published under the event.
 */
export async function readRecords(
  context: RecordContext,
  accountId: string,
  wanted: readonly WantedRecord[],
  onUnreadable: OnUnreadable,
): Promise<ReadRecords> {
  const found = new Map<string, StoredRecord>();
  const unreadable = new Map<string, { readonly id: string; readonly cause: unknown }>();
  for (const [event, ofEvent] of Map.groupBy(wanted, ({ event }) => event))
    await readRecordsOfEvent(context, accountId, { event, wanted: ofEvent, found, unreadable });
  for (const { id, cause } of unreadable.values()) onUnreadable(id, cause);
  return {
    // Several events may have one record.
    all: [...new Map(Array.from(found.values(), (each) => [String(each.recordKey), each])).values()],
    find: (record) => found.get(nameOf(record)),
    isUnreadable: (record) => unreadable.has(nameOf(record)),
  };
}

interface ReadOfEvent {
  readonly event: string;
  readonly wanted: readonly WantedRecord[];
  readonly found: Map<string, StoredRecord>;
  readonly unreadable: Map<string, { readonly id: string; readonly cause: unknown }>;
}

async function readRecordsOfEvent(
  { store, events }: RecordContext,
  accountId: string,
  { event, wanted, found, unreadable }: ReadOfEvent,
): Promise<void> {
  const missing = new Map(wanted.map((record) => [nameOf(record), record]));
  const [likeliest, ...others] = possibleKinds(events, event);
  for (const kind of likeliest === undefined ? [] : [likeliest, ...others]) {
    if (missing.size === 0) break;
    const places = Array.from(missing, ([name, { recordId, recordArrival }]) => {
      return { name, recordId, recordArrival, recordKey: keys.record(accountId, kind, recordId) };
    });
    const texts = await store.getMany(places.map(({ recordKey }) => recordKey));
    places.forEach(({ name, recordId, recordArrival, recordKey }, index) => {
      const recordText = texts[index];
      if (recordText === undefined) return;
      try {
        const record = parseRecordRow(recordText);
        if (record.head.arrival !== recordArrival) return;
        if (kind !== likeliest && !record.head.events.includes(event)) return;
        found.set(name, { recordId, recordKey, recordText, record });
        missing.delete(name);
        // A damaged row of another kind with the same id does not matter.
        unreadable.delete(name);
      } catch (cause) {
        unreadable.set(name, { id: recordId, cause });
      }
    });
  }
}

/** An id is unique only within a kind and a time: a host may delete a record and publish another one with its id. */
function nameOf({ event, recordId, recordArrival }: WantedRecord): string {
  return `${recordArrival}/${event}/${recordId}`;
}
