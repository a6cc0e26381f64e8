import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { RecordVersion } from "../rows/keys.ts";
import { renderRecordRow, toRecordJson } from "../rows/record-row.ts";
import type { RecordContent, RecordHead, RecordRow } from "../rows/record-row.ts";
import { addIndexMutations } from "./record-index.ts";

export interface RecordChange {
  readonly accountId: string;
  readonly kind: string;
  readonly recordId: string;
  /** The key of the record's row. Reuse one array for the check and the write: the memory store then encodes it once. */
  readonly recordKey?: Key | undefined;
  /** Undefined for a new record. */
  readonly before: RecordRow | undefined;
  /** Whether the log needs the replaced data. See `isVersionReferenced()`. */
  readonly isVersionReferenced: boolean;
  /** Undefined if the record is deleted. */
  readonly after: { readonly head: RecordHead; readonly content: RecordContent } | undefined;
  /** The arrival number of this change. */
  readonly arrival: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

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
      { type: "set", key: keys.recordVersion(accountId, replaced), value: before.json },
      { type: "set", key: keys.recordVersionEnd(accountId, now, replaced), value: "" },
    );
  }
  addIndexMutations(mutations, change, before?.head, after?.head);
}
