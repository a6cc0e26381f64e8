import type { RecordKind } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { RecordHead } from "../rows/record-row.ts";
import { toPositionParts } from "../store/positions.ts";

/**
 * The index entries of a record: one for each event it was published under, and for an order one by e-mail and one by
 * number. Each holds all filters in its key, so that every combination of them is a sorted run (see `readMergedIndex`).
 */
function indexKeys(accountId: string, kind: RecordKind, recordId: string, head: RecordHead): Key[] {
  const { project_id: projectId, status, email, number, events } = head;
  const position = toPositionParts({ createdAt: head.created_at, arrival: head.arrival, id: recordId });
  const entries = events.map((event) => keys.recordList(accountId, event, projectId, status, ...position));
  if (kind !== "orders") return entries;
  entries.push(keys.orderByEmail(accountId, email, projectId, status, ...position));
  entries.push(keys.orderByNumber(accountId, number, email, projectId, status, ...position));
  return entries;
}

/** What changes in the indexes when a record comes, changes or goes. Entries that stay are not written again. */
export function toIndexMutations(
  accountId: string,
  kind: RecordKind,
  recordId: string,
  before: RecordHead | undefined,
  after: RecordHead | undefined,
): Mutation[] {
  const old = before === undefined ? [] : indexKeys(accountId, kind, recordId, before);
  const fresh = after === undefined ? [] : indexKeys(accountId, kind, recordId, after);
  if (old.length === 0) return fresh.map((key) => ({ type: "set", key, value: "" }));
  const oldNames = new Set(old.map(nameOf));
  const freshNames = new Set(fresh.map(nameOf));
  return [
    ...old.filter((key) => !freshNames.has(nameOf(key))).map((key): Mutation => ({ type: "delete", key })),
    ...fresh
      .filter((key) => !oldNames.has(nameOf(key)))
      .map((key): Mutation => ({ type: "set", key, value: "" })),
  ];
}

function nameOf(key: Key): string {
  return JSON.stringify(key);
}
