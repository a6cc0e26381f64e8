import { keys as deliveryKeys } from "@hookwright/delivery";
import type { RecordVersion } from "@hookwright/delivery";
import type { RecordKind } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { renderRecordRow } from "../rows/record-row.ts";
import type { RecordRow } from "../rows/record-row.ts";
import { addIndexMutations } from "./record-index.ts";

export interface RecordChange {
  readonly accountId: string;
  readonly kind: RecordKind;
  readonly recordId: string;
  /** Undefined where there is none yet. */
  readonly before: RecordRow | undefined;
  /** Whether the log shows the data that is replaced, see `isReplacedNamed`. */
  readonly isReplacedNamed: boolean;
  /** Undefined where it is deleted. */
  readonly after: Pick<RecordRow, "head" | "json"> | undefined;
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
  const { accountId, kind, recordId, before, after, now } = change;
  if (before === undefined && after === undefined) return;
  const key = keys.record(accountId, kind, recordId);
  if (after === undefined) mutations.push({ type: "delete", key });
  else {
    const { head, json } = after;
    const value = renderRecordRow({ head, json, version: versionOf(change, json) });
    mutations.push({ type: "set", key, value });
  }
  if (before !== undefined && before.json !== after?.json && change.isReplacedNamed) {
    const replaced: RecordVersion = { kind, recordId, version: before.version };
    mutations.push(
      { type: "set", key: deliveryKeys.recordVersion(accountId, replaced), value: before.json },
      { type: "set", key: deliveryKeys.recordVersionEnd(accountId, now, replaced), value: "" },
    );
  }
  addIndexMutations(mutations, change, before?.head, after?.head);
}

/** Arrivals grow with time, so that a record which was deleted and comes again takes up no version it had. */
function versionOf({ before, arrival }: RecordChange, json: string): number {
  if (before === undefined) return arrival;
  return json === before.json ? before.version : Math.max(arrival, before.version + 1);
}
