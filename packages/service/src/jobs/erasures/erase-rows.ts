import { eraseAttempt, isGone, replaceLoggedRow } from "@hookwright/delivery";
import type { AttemptRow, LoggedRow } from "@hookwright/delivery";
import type { EventRegistry } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import type { Check, Entry, Key, Mutation, Outbox, Store } from "@hookwright/storage";
import { readBodies } from "../../deliveries/read-bodies.ts";
import { findRecords } from "../../lookups/find-records.ts";
import { prepareRecordRemoval } from "../../records/record-removal.ts";
import { parseAuditRow } from "../../rows/audit-row.ts";
import { parseContactRow, toContactRemoval } from "../../rows/contact-row.ts";
import type { ErasureRow, ErasureWork } from "../../rows/erasure-row.ts";
import { auditLogTable, keys } from "../../rows/keys.ts";
import { erasedVersion } from "../../rows/record-change.ts";
import { parseRecordRow, readRecordJson } from "../../rows/record-row.ts";
import { redactedTables } from "./erasure-stages.ts";
import { isRecordOf } from "./mentions.ts";
import type { Mentions } from "./mentions.ts";

export interface EraseContext {
  readonly store: Store;
  readonly events: EventRegistry;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly auditRetentionMs: number;
  /** The outboxes of the server. */
  readonly outboxes: readonly Pick<Outbox, "rejected">[];
}

/** The person whose data is erased. */
export interface Erased extends Pick<ErasureRow, "created_at"> {
  readonly accountId: string;
  readonly email: ErasureWork["email"];
  readonly mentions: Mentions;
}

export type ErasedCounts = Partial<Pick<ErasureRow, "contacts" | "subscribers" | "records" | "deliveries">>;

/** What erases the person from a row. */
export interface RowChange {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  readonly counts?: ErasedCounts;
  /** The contact that it removes. */
  readonly contactId?: string;
  /** What precedes the address in the id of a record that it removes. */
  readonly prefix?: string | undefined;
  /** No other change may be in its commit. */
  readonly isAlone?: boolean;
}

/**
 * What erases the person from a row of a table, besides those of the log. Undefined: the row does not mention the person. A damaged row is
 * only redacted: it must not stop the erasure.
 */
export async function eraseRow(
  context: EraseContext,
  erased: Erased,
  table: string,
  entry: Entry,
): Promise<RowChange | undefined> {
  try {
    return await eraseReadableRow(context, erased, table, entry);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return redactRow(context, erased, table, entry);
  }
}

async function eraseReadableRow(
  context: EraseContext,
  erased: Erased,
  table: string,
  entry: Entry,
): Promise<RowChange | undefined> {
  if (table === "contact") return eraseContact(erased, entry);
  if (table === "record") return eraseRecord(context, erased, entry);
  if (table === "record-version") return eraseVersion(erased, entry);
  if (table === auditLogTable && parseAuditRow(entry.value).account_id !== erased.accountId) return undefined;
  return redactRow(context, erased, table, entry);
}

function eraseContact(erased: Erased, { key, value }: Entry): RowChange | undefined {
  if (!erased.mentions.has(value)) return undefined;
  const row = parseContactRow(value);
  const checks = [{ key, value }];
  if (row.email !== erased.email) return { checks, mutations: [replaceText(erased, { key, value })] };
  return {
    checks,
    mutations: toContactRemoval(erased.accountId, row),
    counts: { contacts: 1 },
    contactId: row.id,
  };
}

async function eraseRecord(
  { store, now }: EraseContext,
  erased: Erased,
  { key, value }: Entry,
): Promise<RowChange | undefined> {
  const { accountId, email, mentions } = erased;
  const [kind = "", recordId = ""] = key.slice(3).map(String);
  if (!mentions.has(value) && !mentions.has(recordId)) return undefined;
  // The index entries of an event with an id have the id of the record that it is about.
  const { about } = parseRecordRow(value).head;
  const isNamed = mentions.has(recordId) || mentions.has(about?.id ?? "");
  if (!isNamed && !isRecordOf(email, kind, readRecordJson(value)))
    return { checks: [{ key, value }], mutations: [replaceText(erased, { key, value })] };
  const removal = await prepareRecordRemoval(store, {
    accountId,
    kind,
    recordId,
    text: value,
    isErased: true,
    now: now(),
  });
  const isSubscriber = kind === "subscribers";
  return {
    checks: removal.checks,
    mutations: [...removal.mutations, ...(await eraseVersions(store, accountId, kind, recordId))],
    counts: isSubscriber ? { subscribers: 1 } : { records: 1 },
    prefix: mentions.findPrefix(recordId),
    isAlone: true,
  };
}

/** Versions of one record that a commit erases. Others are found by the address. */
const maximumVersions = 200;

/** The older data of a record that is removed. */
async function eraseVersions(
  store: Store,
  accountId: string,
  kind: string,
  recordId: string,
): Promise<Mutation[]> {
  const prefix = keys.recordVersions(accountId, kind, recordId);
  const versions = await store.list({ prefix, limit: maximumVersions });
  return versions.map(({ key }) => ({ type: "set", key, value: erasedVersion }));
}

function eraseVersion(erased: Erased, { key, value }: Entry): RowChange | undefined {
  const [kind = "", recordId = ""] = key.slice(3).map(String);
  const checks = [{ key, value }];
  if (erased.mentions.has(recordId)) return { checks, mutations: [{ type: "delete", key }] };
  if (!erased.mentions.has(value)) return undefined;
  if (!isRecordOf(erased.email, kind, value))
    return { checks, mutations: [replaceText(erased, { key, value })] };
  return { checks, mutations: [{ type: "set", key, value: erasedVersion }] };
}

function redactRow(
  { now, auditRetentionMs }: Pick<EraseContext, "now" | "auditRetentionMs">,
  erased: Erased,
  table: string,
  entry: Entry,
): RowChange | undefined {
  const { key, value } = entry;
  const { lifetime, isShortLived = false } = redactedTables[table] ?? {};
  const isInKey = key.slice(2).some((part) => erased.mentions.has(String(part)));
  if (!isInKey && !erased.mentions.has(value)) return undefined;
  const checks = [{ key, value }];
  if (isInKey || isShortLived) return { checks, mutations: [{ type: "delete", key }] };
  const lifetimeMs = lifetime === "audit" ? auditRetentionMs : lifetime;
  const expiry = lifetimeMs === undefined ? {} : { expiresAt: now() + lifetimeMs };
  return { checks, mutations: [{ ...replaceText(erased, entry), ...expiry }] };
}

function replaceText({ mentions }: Erased, { key, value }: Entry) {
  return { type: "set", key, value: mentions.redact(value) } as const;
}

/**
 * What erases the person from a delivery of the log: the attempts that sent data of the person, and those that mention the person. A delivery
 * that was cancelled because its record was erased is only counted.
 */
export async function eraseDelivery(
  { store, events }: Pick<EraseContext, "store" | "events">,
  { accountId, mentions, created_at: startedAt }: Erased,
  row: LoggedRow,
): Promise<RowChange | undefined> {
  const { delivery, key, text } = row;
  const isMentioned = mentions.has(text);
  if (delivery === undefined)
    return isMentioned
      ? { checks: [{ key, value: text }], mutations: [{ type: "set", key, value: mentions.redact(text) }] }
      : undefined;
  const bodies = await readBodies({ store, events }, accountId, delivery);
  const isKept = delivery.attempts.every(({ body }) => !isGone(body));
  const isDeleted = !isKept && (await findRecords(store, events, accountId, [delivery]))[0] === undefined;
  const isErased = (attempt: AttemptRow, index: number): boolean => {
    if (isGone(attempt.body) && attempt.body.gone === "erased") return false;
    const body = bodies[index];
    if (typeof body === "object" && body.gone === "erased") return true;
    // Without its body, nothing says whether the headers of its response are about the person.
    if (isGone(attempt.body) && isDeleted) return true;
    return isMentioned && mentions.has(JSON.stringify(attempt));
  };
  const attempts = delivery.attempts.map((attempt, index) =>
    isErased(attempt, index) ? eraseAttempt(attempt) : attempt,
  );
  const isChanged = isMentioned || attempts.some((attempt, index) => attempt !== delivery.attempts[index]);
  if (isChanged)
    return {
      ...replaceLoggedRow(accountId, row, { ...delivery, attempts }, mentions.redact),
      counts: { deliveries: 1 },
    };
  const isCancelled =
    delivery.cancel_reason === "record_deleted" && (delivery.completed_at ?? 0) >= startedAt;
  return isCancelled ? { checks: [], mutations: [], counts: { deliveries: 1 } } : undefined;
}

/** Rows of an outbox that one step reads. Each may have 64 KiB. */
const rejectedPageSize = 50;

/**
 * Removes the rejected rows of a page that mention the person and name a site of the account. Repeating it does no harm. A row that is too
 * large to be read stays.
 *
 * @param after the `next` of the page before
 */
export async function eraseRejected(
  { store, outboxes }: Pick<EraseContext, "store" | "outboxes">,
  { accountId, mentions }: Erased,
  after: Key | undefined,
): Promise<Key | undefined> {
  const [index = "0", before] = after ?? [];
  const rejected = outboxes[Number(index)]?.rejected;
  if (rejected === undefined) return undefined;
  const rows = await rejected.list({
    before: before === undefined ? undefined : String(before),
    limit: rejectedPageSize,
  });
  const sites = await store.getMany(rows.map(({ projectId }) => keys.project(accountId, projectId)));
  for (const [place, row] of rows.entries()) {
    if (sites[place] === undefined) continue;
    const data = row.data ?? (await rejected.get(row.key))?.data ?? "";
    if (mentions.has([data, row.eventId, row.message].join(" "))) await rejected.remove(row.key);
  }
  const last = rows.length < rejectedPageSize ? undefined : rows.at(-1);
  return last === undefined ? [String(Number(index) + 1)] : [index, last.key];
}
