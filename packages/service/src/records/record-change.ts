import { keys as deliveryKeys } from "@hookwright/delivery";
import type { RecordVersion } from "@hookwright/delivery";
import type { RecordKind } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { renderRecordRow, toRecordJson } from "../rows/record-row.ts";
import type { RecordContent, RecordHead, RecordRow } from "../rows/record-row.ts";
import { addIndexMutations } from "./record-index.ts";

export interface RecordChange {
  readonly accountId: string;
  readonly kind: RecordKind;
  readonly recordId: string;
  /** The key of its row, where that is known: memory encodes a key once that one commit checks and writes. */
  readonly recordKey?: Key | undefined;
  /** Undefined where there is none yet. */
  readonly before: RecordRow | undefined;
  /** Whether the log shows the data that is replaced, see `isReplacedNamed`. */
  readonly isReplacedNamed: boolean;
  /** Undefined where it is deleted. */
  readonly after: { readonly head: RecordHead; readonly content: RecordContent } | undefined;
  /** The number of this change among all arrivals. */
  readonly arrival: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The rows by which a record comes, changes or goes, its index entries included. Data that is replaced is kept as a version
 * of its own where deliveries name it, which they do instead of keeping their bodies.
 */
export function toRecordMutations(change: RecordChange): Mutation[] {
  const mutations: Mutation[] = [];
  addRecordMutations(mutations, change);
  return mutations;
}

/** The same among other rows. */
export function addRecordMutations(mutations: Mutation[], change: RecordChange): void {
  const { accountId, kind, recordId, before, after, arrival, now } = change;
  const key = change.recordKey ?? keys.record(accountId, kind, recordId);
  const isReplaced = before !== undefined && before.json !== (after && toRecordJson(after.content));
  if (after !== undefined) {
    // Arrivals grow with time, so that a record which was deleted and comes again takes up no version it had.
    const next = before === undefined ? arrival : Math.max(arrival, before.version + 1);
    const version = before === undefined || isReplaced ? next : before.version;
    const { head, content } = after;
    mutations.push({ type: "set", key, value: renderRecordRow({ version, head }, content) });
  } else if (before !== undefined) mutations.push({ type: "delete", key });
  if (isReplaced && change.isReplacedNamed) {
    const replaced: RecordVersion = { kind, recordId, version: before.version };
    mutations.push(
      { type: "set", key: deliveryKeys.recordVersion(accountId, replaced), value: before.json },
      { type: "set", key: deliveryKeys.recordVersionEnd(accountId, now, replaced), value: "" },
    );
  }
  addIndexMutations(mutations, change, before?.head, after?.head);
}
