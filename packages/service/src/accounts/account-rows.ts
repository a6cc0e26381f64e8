import {
  failedDeliveriesTable,
  issueLifetimeMs,
  issuesTable,
  ledgerLifetimeMs,
  queueTables,
  removedWebhookLifetimeMs,
  removedWebhookTable,
  seriesTables,
  workerTables,
} from "@hookwright/delivery";
import { partitionOf, partitions } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import type { Entry, Key, KeyPart, Store } from "@hookwright/storage";
import { defaultAuditRetentionMs, isAfterAccount, parseAuditRow } from "../rows/audit-row.ts";
import type { FingerprintRow, SessionRow } from "../rows/credential-rows.ts";
import {
  declaredEventTable,
  auditAfterAccountTable,
  auditLogTable,
  counterLifetimeMs,
  erasureRunningTable,
  noticeTable,
  resendRunningTable,
  sessionEntryTable,
} from "../rows/keys.ts";
import { erasureLifetimeMs } from "../rows/erasure-row.ts";
import { invitationLifetimeMs } from "../rows/person-row.ts";
import type { InvitationRow } from "../rows/person-row.ts";
import { resendLifetimeMs } from "../rows/resend-row.ts";
import { shareLifetimeMs } from "../rows/share-row.ts";
import { readKinds } from "../store/read-kinds.ts";

/** A row that can be moved to another store. */
export interface AccountRowEntry extends Entry {
  /** The lifetime in the target store, in milliseconds. Undefined if the row does not expire. */
  readonly lifetimeMs: number | undefined;
}

/** Kinds of entries outside the account's partition, and the test whether an entry belongs to an account. */
const lookupKinds: Readonly<Record<string, (accountId: string, entry: Entry) => boolean>> = {
  "account-of-email": (accountId, { key }) => key[3] === accountId,
  [auditLogTable]: (accountId, { value }) => {
    const row = parseAuditRow(value);
    return row.account_id === accountId && !isAfterAccount(row.action);
  },
  directory: (accountId, { value }) => value === accountId,
  invitation: (accountId, { value }) => {
    const row: InvitationRow = JSON.parse(value);
    return row.account_id === accountId;
  },
  "person-of-email": (accountId, { key }) => key[3] === accountId,
  "key-fingerprint": (accountId, { value }) => {
    const row: FingerprintRow = JSON.parse(value);
    return row.account_id === accountId;
  },
};

/** Lookup entries that are not moved, because they are short-lived. */
const shortLivedLookups: typeof lookupKinds = {
  "console-session": (accountId, { value }) => {
    const row: SessionRow = JSON.parse(value);
    return row.account_id === accountId;
  },
  "console-link": (accountId, { value }) => {
    const row: SessionRow = JSON.parse(value);
    return row.account_id === accountId;
  },
};

/** The kinds of entries outside the account's partition, by which an account is found. */
export const allLookupKinds: readonly string[] = [
  ...Object.keys(lookupKinds),
  ...Object.keys(shortLivedLookups),
];

/** Where entries of such a kind that lead to an account can be. */
export function lookupPartitions(kind: string, accountId: string): readonly string[] {
  return kind === auditLogTable ? [partitionOf(accountId)] : partitions;
}

/** Whether an entry of such a kind leads to an account. */
export function isLookupOfAccount(accountId: string, entry: Entry): boolean {
  const [, kind] = entry.key;
  return { ...lookupKinds, ...shortLivedLookups }[String(kind)]?.(accountId, entry) ?? false;
}

/** Kinds in the account's partition that belong to no account or are short-lived. */
const excludedKinds: ReadonlySet<KeyPart> = new Set([
  ...Object.keys(lookupKinds),
  "suppression",
  "server-secret-check",
  "known-own-events",
  declaredEventTable,
  "event-types-mark",
  "readiness",
  ...workerTables,
  ...seriesTables,
  "request-window",
  "mail-count",
  // The notices of the old store are handed over there.
  noticeTable,
  failedDeliveriesTable,
  auditAfterAccountTable,
  "console-session",
  "console-link",
  "sign-in-guard",
  "sign-in-window",
  "account-import",
  sessionEntryTable,
  "listener-index",
  "listener",
  "listener-inbox",
  "listener-log",
  "listener-log-state",
  "listener-event",
  "listener-result",
  "listener-report",
]);

/** A store does not return expiry times, so the full lifetime starts again in the target store. */
const lifetimesMs: ReadonlyMap<KeyPart, number> = new Map([
  ["new-subscribers", counterLifetimeMs],
  ["audit", defaultAuditRetentionMs],
  ["invitation", invitationLifetimeMs],
  [auditLogTable, defaultAuditRetentionMs],
  ["recovery", resendLifetimeMs],
  ["recovery-of-webhook", resendLifetimeMs],
  ["share", shareLifetimeMs],
  ["erasure", erasureLifetimeMs],
  [removedWebhookTable, removedWebhookLifetimeMs],
  [issuesTable, issueLifetimeMs],
]);

/** Kinds that come last, in this order: nobody sees the account, or is sent anything, before the rest is there. */
const lastKinds: readonly KeyPart[] = ["account", ...queueTables, resendRunningTable, erasureRunningTable];

const pageSize = 500;

/**
 * Yields every row of an account in an order that is safe to write: lookup entries, other rows, the account, pending deliveries.
 *
 * This is not a snapshot. The caller must prevent changes meanwhile.
 */
export async function* readAccountRows(options: {
  readonly store: Store;
  readonly accountId: string;
}): AsyncGenerator<AccountRowEntry> {
  const { store, accountId } = options;
  for (const kind of Object.keys(lookupKinds)) {
    for (const partition of lookupPartitions(kind, accountId)) {
      for await (const entries of listPages(store, { prefix: [partition, kind], pageSize }))
        yield* entries.filter((entry) => isRowOfAccount(accountId, entry)).map(withLifetime);
    }
  }
  const partition = partitionOf(accountId);
  const kinds = (await readKinds(store, partition)).filter((kind) => !excludedKinds.has(kind));
  const rank = (kind: KeyPart): number => lastKinds.indexOf(kind);
  for (const kind of kinds.toSorted((left, right) => rank(left) - rank(right))) {
    // A list by prefix does not include the row whose key equals the prefix.
    const key: Key = [partition, kind, accountId];
    const value = await store.get(key);
    if (value !== undefined) yield withLifetime({ key, value });
    for await (const entries of listPages(store, { prefix: key, pageSize })) yield* entries.map(withLifetime);
  }
}

/** The key for the progress of an import. The row does not belong to the account. */
export function accountImportKey(accountId: string): Key {
  return [partitionOf(accountId), "account-import", accountId];
}

/** Whether {@link readAccountRows} would yield a row for the account. */
export function isRowOfAccount(accountId: string, entry: Entry): boolean {
  const [partition, kind, owner] = entry.key;
  const isLookupOf =
    typeof kind === "string" && Object.hasOwn(lookupKinds, kind) ? lookupKinds[kind] : undefined;
  if (isLookupOf !== undefined) return isLookupOf(accountId, entry);
  return (
    partition === partitionOf(accountId) &&
    kind !== undefined &&
    !excludedKinds.has(kind) &&
    owner === accountId
  );
}

function withLifetime({ key, value }: Entry): AccountRowEntry {
  const [, kind] = key;
  const lifetimeMs = kind === undefined ? undefined : (ledgerLifetimeMs(key) ?? lifetimesMs.get(kind));
  return { key, value, lifetimeMs };
}
