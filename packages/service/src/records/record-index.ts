import { isEventName } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { RecordHead } from "../rows/record-row.ts";

/**
 * Visits the index keys of a record: one for each event, and for orders one by e-mail and one by number. Each key contains all
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
  if (kind !== "orders") return;
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
