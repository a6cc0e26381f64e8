import { failedDeliveriesTable, issueLifetimeMs, issuesTable } from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Key } from "@hookwright/storage";
import { auditLogTable, missedEventTable, noticeTable } from "../../rows/keys.ts";
import { resendLifetimeMs } from "../../rows/resend-row.ts";

/** The lifetimes of rows that are written again. A store does not return when a row expires. */
export interface RedactedTable {
  /** Milliseconds. `audit`: as long as the audit log. Absent: its rows do not expire. */
  readonly lifetime?: number | "audit";
  /** Its rows live for minutes, so those that mention the person are removed. */
  readonly isShortLived?: boolean;
}

/**
 * Rows that may mention a person, by the second part of their key, besides contacts, records and deliveries. A row whose key has the
 * address is removed, and in the value of others the address is replaced.
 *
 * The rest cannot have it: it is an index of contacts or records, counts, has only ids, or is what the account has set up (its sites, webhooks,
 * people and keys), which is not data of its customers.
 */
export const redactedTables: Readonly<Record<string, RedactedTable>> = {
  audit: { lifetime: "audit" },
  [auditLogTable]: { lifetime: "audit" },
  "blog-post": {},
  "delivery-of-record": {},
  [failedDeliveriesTable]: { lifetime: issueLifetimeMs },
  [issuesTable]: { lifetime: issueLifetimeMs },
  "listener-event": { isShortLived: true },
  "listener-inbox": { isShortLived: true },
  "listener-log": { isShortLived: true },
  "listener-report": { isShortLived: true },
  "listener-result": { isShortLived: true },
  [missedEventTable]: {},
  [noticeTable]: {},
  "record-version-end": {},
  recovery: { lifetime: resendLifetimeMs },
  request: {},
};

/**
 * What is erased, in order. Records come before what waits, so that each delivery that waits is cancelled. What waits comes before the
 * log, so that no attempt in flight writes a row that was erased.
 */
export const erasureStages = [
  "contact",
  "record",
  "record-version",
  "waiting",
  "delivery",
  ...Object.keys(redactedTables),
  "rejected-events",
] as const;

/** The rows of a stage. The log of all changes has the entries of other accounts too. */
export function prefixOf(accountId: string, table: string): Key {
  const partition = partitionOf(accountId);
  return table === auditLogTable ? [partition, table] : [partition, table, accountId];
}
