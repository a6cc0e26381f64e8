import { keys as deliveryKeys } from "@hookwright/delivery";
import type { RecordVersion } from "@hookwright/delivery";
import type { RecordKind } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { renderRecordRow } from "../rows/record-row.ts";
import type { RecordRow } from "../rows/record-row.ts";
import { toIndexMutations } from "./record-index.ts";

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
  const { accountId, kind, recordId, before, after, arrival, now } = change;
  const key = keys.record(accountId, kind, recordId);
  const indexes = toIndexMutations(accountId, kind, recordId, before?.head, after?.head);
  // Arrivals grow with time, so that a record which was deleted and comes again takes up no version it had.
  if (before === undefined) {
    if (after === undefined) return [];
    return [{ type: "set", key, value: renderRecordRow({ ...after, version: arrival }) }, ...indexes];
  }
  if (after?.json === before.json) {
    const value = renderRecordRow({ ...after, version: before.version });
    return [{ type: "set", key, value }, ...indexes];
  }
  const replaced = { kind, recordId, version: before.version };
  const version = Math.max(arrival, before.version + 1);
  return [
    after === undefined
      ? { type: "delete", key }
      : { type: "set", key, value: renderRecordRow({ ...after, version }) },
    ...(change.isReplacedNamed ? toVersionMutations(accountId, replaced, before.json, now) : []),
    ...indexes,
  ];
}

function toVersionMutations(
  accountId: string,
  replaced: RecordVersion,
  json: string,
  now: number,
): Mutation[] {
  return [
    { type: "set", key: deliveryKeys.recordVersion(accountId, replaced), value: json },
    { type: "set", key: deliveryKeys.recordVersionEnd(accountId, now, replaced), value: "" },
  ];
}
