import type { EventRegistry } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { possibleKinds } from "../../lookups/find-records.ts";
import { keys } from "../../rows/keys.ts";
import { parseRecordRow } from "../../rows/record-row.ts";
import type { RecordRow } from "../../rows/record-row.ts";

/** The store, and the events whose records a recovery sends. */
export interface RecoveryContext {
  readonly store: Store;
  readonly events: EventRegistry;
}

/** A record that was published under the event of a recovery. */
export interface WantedRecord {
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
  readonly unreadable: readonly { readonly id: string; readonly cause: unknown }[];
}

/**
 * Reads the records of an event. This process may not know the event, or know another kind of it. Then a record is searched among all
 * kinds: the one that has the arrival number and was published under the event.
 */
export async function readRecords(
  { store, events }: RecoveryContext,
  accountId: string,
  event: string,
  wanted: readonly WantedRecord[],
): Promise<ReadRecords> {
  const missing = new Map(wanted.map((record) => [nameOf(record), record]));
  const found = new Map<string, StoredRecord>();
  const unreadable = new Map<string, unknown>();
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
      } catch (cause) {
        unreadable.set(name, cause);
      }
    });
  }
  return {
    all: [...found.values()],
    find: (record) => found.get(nameOf(record)),
    // A damaged row of another kind with the same id does not matter if the record was found.
    unreadable: Array.from(missing).flatMap(([name, { recordId: id }]) =>
      unreadable.has(name) ? [{ id, cause: unreadable.get(name) }] : [],
    ),
  };
}

/** An id is unique only within a kind and a time: a host may delete a record and publish another one with its id. */
function nameOf({ recordId, recordArrival }: WantedRecord): string {
  return `${recordArrival}/${recordId}`;
}
