import { isEventName } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";
import type { RecordVersion } from "./keys.ts";
import { renderRecordRow, toRecordJson } from "./record-row.ts";
import type { RecordContent, RecordHead, RecordRow } from "./record-row.ts";

export interface RecordChange {
  readonly accountId: string;
  readonly kind: string;
  readonly recordId: string;
  /** The key of the row of the record, if the caller has it. */
  readonly recordKey?: Key | undefined;
  /** Undefined for a new record. */
  readonly before: RecordRow | undefined;
  /** Whether the log needs the replaced data. See `isVersionReferenced()`. */
  readonly isVersionReferenced: boolean;
  /** The replaced data is erased: its version is kept without it. @default false */
  readonly isErased?: boolean | undefined;
  /** Undefined if the record is deleted. */
  readonly after: { readonly head: RecordHead; readonly content: RecordContent } | undefined;
  /** The arrival number of this change. */
  readonly arrival: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A version whose data was erased. */
export const erasedVersion = "";

/**
 * The mutations that create, change or delete a record and its index entries. Replaced data is kept as a version if deliveries
 * reference it, because deliveries do not store their bodies.
 */
export function toRecordMutations(change: RecordChange): Mutation[] {
  const mutations: Mutation[] = [];
  addRecordMutations(mutations, change);
  return mutations;
}

/** Adds the same mutations to an existing list. */
export function addRecordMutations(mutations: Mutation[], change: RecordChange): void {
  const { accountId, kind, recordId, before, after, arrival, now } = change;
  const key = change.recordKey ?? keys.record(accountId, kind, recordId);
  const isReplaced = before !== undefined && before.json !== (after && toRecordJson(after.content));
  if (after !== undefined) {
    // Arrival numbers grow, so a record that is deleted and created again never reuses a version.
    const next = before === undefined ? arrival : Math.max(arrival, before.version + 1);
    const version = before === undefined || isReplaced ? next : before.version;
    const { head, content } = after;
    mutations.push({ type: "set", key, value: renderRecordRow({ version, head }, content) });
  } else if (before !== undefined) mutations.push({ type: "delete", key });
  if (isReplaced && change.isVersionReferenced) {
    const replaced: RecordVersion = { kind, recordId, version: before.version };
    mutations.push(
      {
        type: "set",
        key: keys.recordVersion(accountId, replaced),
        value: change.isErased === true ? erasedVersion : before.json,
      },
      { type: "set", key: keys.recordVersionEnd(accountId, now, replaced), value: "" },
    );
  }
  addIndexMutations(mutations, change, before?.head, after?.head);
}

/**
 * Visits the index keys of a record: one for each event, one by e-mail, and for orders one by number. Each key of an order contains all
 * filters, so every combination of them is a sorted run (see `readMergedIndex()`).
 */
export function visitIndexKeys(
  { accountId, kind, recordId }: IndexedRecord,
  head: RecordHead,
  visit: (key: Key) => void,
): void {
  const { project_id: projectId, status, email, number, events } = head;
  const entry = { projectId, status, createdAt: head.created_at, arrival: head.arrival, id: recordId };
  for (const event of events) visit(keys.recordListEntry(accountId, event, entry));
  if (head.about !== undefined) {
    const { about, published } = head;
    visit([...keys.eventsWithId(accountId), published[0] ?? 0, kind, recordId]);
    visit([...keys.eventsOfRecord(accountId, about.kind, about.id), kind, recordId]);
  }
  if (kind !== "orders") {
    if (kind !== "subscribers" && email !== "") visit(keys.recordByEmail(accountId, email, kind, recordId));
    return;
  }
  // A list of orders reads the entries of these events, whatever events the host has.
  if (!events.some(isEventName)) visit(keys.recordListEntry(accountId, "orders", entry));
  if (email !== "") visit(keys.orderByEmail(accountId, email, entry));
  visit(keys.orderByNumber(accountId, number, email, entry));
}

export interface IndexedRecord {
  readonly accountId: string;
  readonly kind: string;
  readonly recordId: string;
}

/** Adds the index mutations for a created, changed or deleted record. Unchanged entries are not written. */
export function addIndexMutations(
  mutations: Mutation[],
  record: IndexedRecord,
  before: RecordHead | undefined,
  after: RecordHead | undefined,
): void {
  const add = (key: Key): void => void mutations.push({ type: "set", key, value: "" });
  if (before === undefined) {
    if (after !== undefined) visitIndexKeys(record, after, add);
    return;
  }
  const old = new Map<string, Key>();
  visitIndexKeys(record, before, (key) => old.set(toMapKey(key), key));
  const current = new Map<string, Key>();
  if (after !== undefined) visitIndexKeys(record, after, (key) => current.set(toMapKey(key), key));
  for (const [mapKey, key] of old) if (!current.has(mapKey)) mutations.push({ type: "delete", key });
  for (const [mapKey, key] of current) if (!old.has(mapKey)) add(key);
}

function toMapKey(key: Key): string {
  return JSON.stringify(key);
}
