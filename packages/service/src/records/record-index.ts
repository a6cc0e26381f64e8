import type { RecordKind } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { RecordHead } from "../rows/record-row.ts";

/**
 * Visits the index entries of a record: one for each event it was published under, and for an order one by e-mail and one by
 * number. Each holds all filters in its key, so that every combination of them is a sorted run (see `readMergedIndex`).
 */
function visitIndexKeys(
  { accountId, kind, recordId }: IndexedRecord,
  head: RecordHead,
  visit: (key: Key) => void,
): void {
  const { project_id: projectId, status, email, number, events } = head;
  const entry = { projectId, status, createdAt: head.created_at, arrival: head.arrival, id: recordId };
  for (const event of events) visit(keys.recordListEntry(accountId, event, entry));
  if (kind !== "orders") return;
  if (email !== "") visit(keys.orderByEmail(accountId, email, entry));
  visit(keys.orderByNumber(accountId, number, email, entry));
}

export interface IndexedRecord {
  readonly accountId: string;
  readonly kind: RecordKind;
  readonly recordId: string;
}

/** Adds what changes in the indexes when a record comes, changes or goes. Entries that stay are not written again. */
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
  visitIndexKeys(record, before, (key) => old.set(nameOf(key), key));
  const fresh = new Map<string, Key>();
  if (after !== undefined) visitIndexKeys(record, after, (key) => fresh.set(nameOf(key), key));
  for (const [name, key] of old) if (!fresh.has(name)) mutations.push({ type: "delete", key });
  for (const [name, key] of fresh) if (!old.has(name)) add(key);
}

function nameOf(key: Key): string {
  return JSON.stringify(key);
}
