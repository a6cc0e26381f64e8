import type { Key, KeyPart } from "@hookwright/storage";
import { partitionOf } from "@hookwright/storage";
import type { Position } from "../store/positions.ts";

/** The kinds of ids in the directory. */
export type DirectoryKind = "project" | "email-list" | "api-key";

/** The data of a record after one publish or change. */
export interface RecordVersion {
  readonly kind: string;
  readonly recordId: string;
  readonly version: number;
}

/** What an entry of a record ends in: filters that are left open, and its position. */
export interface RecordEntry extends Position {
  readonly projectId: string;
  readonly status: string;
}

export const sessionsEndedTable = "sessions-ended";
export const sessionEntryTable = "session-entry";
/** Running jobs that send again. A copy of an account writes them last. The names of the tables are those of the first such jobs. */
export const resendRunningTable = "recovery-running";
/** Notices that wait to be handed over. */
export const noticeTable = "notice";
/** What was sent about notices. */
export const noticeMessageTable = "notice-message";
/** The owner of the URLs that get the notices of an account. No id of an account has white space, so it is no account. */
export const noticesOf = (accountId: string): string => `${accountId} notices`;
/** Running actions on many webhooks. */
export const webhookActionRunningTable = "webhook-action-running";
/** The owner of rows that belong to no account. No id of an account has white space. */
export const operator = "the operator";
/** Running erasures of the data of a person. */
export const erasureRunningTable = "erasure-running";
/** Events that were published while a webhook was paused or switched off. */
export const missedEventTable = "missed-event";
/** Events that the host has declared over the host API. */
export const declaredEventTable = "event-type";
/** Events that were published with an id. */
export const eventWithIdTable = "event-with-id";
/** By record, events that were published with an id. */
export const eventOfRecordTable = "event-of-record";
/** URLs of the webhooks that the operator has disabled. */
const disabledTargetTable = "disabled-target";
/** The size of the delivery log of each account. */
const logSizeTable = "log-size";
/** The audit log of a partition. */
export const auditLogTable = "audit-log";
/** Entries of the audit log that stay after their account is deleted. */
export const auditAfterAccountTable = "audit-after-account";

/** The lifetime of a count of new subscribers. Longer than a calendar month in every time zone. */
export const counterLifetimeMs = 40 * 24 * 60 * 60 * 1_000;

/**
 * Every key that this package writes. Rows of an account are in the partition of the account. Entries that are looked up without the
 * account (such as fingerprints) have their own partition.
 *
 * Generated ids are ordered by time, so their rows need no index. Records and sites have ids of the host. Their index entries end in
 * (created_at, arrival, id), the order of every list of the API.
 */
export const keys = {
  account: (accountId: string): Key => keyOf("account", accountId),
  /** The mails to an address in the last 24 hours. Earlier versions had one row for each account. */
  mailCount: (accountId: string, address: string): Key => keyOf("mail-count", accountId, address),
  /** The mails in the last 24 hours that ask for a confirmation. No address is without an @. */
  confirmationCount: (accountId: string): Key => keyOf("mail-count", accountId, "confirmations"),
  /** Notices that wait to be handed over, oldest first. */
  notice: (accountId: string, noticeId: string): Key => keyOf(noticeTable, accountId, noticeId),
  /** Prefix, followed by the id. */
  notices: (accountId: string): Key => keyOf(noticeTable, accountId),
  /** The notices of all accounts of a partition. */
  noticesIn: (partition: string): Key => [partition, noticeTable],
  /** One per store. The URL of the operator that gets notices. */
  noticeEndpoint: (): Key => keyOf("notice-endpoint", operator),
  /** What a delivery of a notice sends. The owner is {@link operator} or {@link noticesOf} an account. */
  noticeMessage: (owner: string, deliveryId: string): Key => keyOf(noticeMessageTable, owner, deliveryId),
  /** Prefix, followed by the delivery id. */
  noticeMessages: (owner: string): Key => keyOf(noticeMessageTable, owner),
  /** Whom an account wants to be told. */
  noticeTargets: (accountId: string): Key => keyOf("notice-targets", accountId),
  /** The size of the delivery log at the last sweep. */
  logSize: (accountId: string): Key => keyOf(logSizeTable, accountId),
  logSizesIn: (partition: string): Key => [partition, logSizeTable],
  accountPassword: (accountId: string): Key => keyOf("account-password", accountId),
  /** Changes whenever all sessions of the account are ended. */
  sessionsEnded: (accountId: string): Key => keyOf(sessionsEndedTable, accountId),
  /** Changes whenever the sign-in address of the account changes. */
  signInMark: (accountId: string): Key => keyOf("sign-in-mark", accountId),
  accountOfEmail: (email: string, accountId: string): Key => keyOf("account-of-email", email, accountId),
  /** Prefix, followed by the account id. */
  accountsOfEmail: (email: string): Key => keyOf("account-of-email", email),
  personOfEmail: (email: string, accountId: string, personId: string): Key =>
    keyOf("person-of-email", email, accountId, personId),
  /** Prefix, followed by the account id and the id of the person. */
  peopleOfEmail: (email: string): Key => keyOf("person-of-email", email),
  consoleSession: (fingerprint: string): Key => keyOf("console-session", fingerprint),
  /** A link that opens the console once. */
  consoleLink: (fingerprint: string): Key => keyOf("console-link", fingerprint),
  /** A session in the list of its account. The session ends when it is removed. */
  sessionEntry: (accountId: string, sessionId: string): Key => keyOf(sessionEntryTable, accountId, sessionId),
  /** Prefix, followed by the id. */
  sessionEntries: (accountId: string): Key => keyOf(sessionEntryTable, accountId),
  person: (accountId: string, personId: string): Key => keyOf("person", accountId, personId),
  /** Prefix, followed by the id. */
  people: (accountId: string): Key => keyOf("person", accountId),
  /** Changes whenever somebody is invited, joins, is changed or removed. */
  peopleMark: (accountId: string): Key => keyOf("people-mark", accountId),
  /** When somebody signed in last. */
  lastSignIn: (accountId: string, personId: string): Key => keyOf("last-sign-in", accountId, personId),
  /** An invitation that can be accepted. */
  invitation: (fingerprint: string): Key => keyOf("invitation", fingerprint),
  /** Changes whenever an account or person is added to the address. */
  signInGuard: (email: string): Key => keyOf("sign-in-guard", email),
  /** Failed sign-ins from one network for one address. */
  signInWindow: (email: string, network: string): Key => keyOf("sign-in-window", email, network),
  directory: (kind: DirectoryKind, id: string): Key => [partitionOf(`${kind}:${id}`), "directory", kind, id],
  keyFingerprint: (fingerprint: string): Key => keyOf("key-fingerprint", fingerprint),
  /** One per store. Shows whether the data was written with a given server secret. */
  serverSecretCheck: (): Key => ["p00", "server-secret-check"],
  /** One per store. The events of the host that a process has known, as JSON: a list of names. */
  knownOwnEvents: (): Key => ["p00", "known-own-events"],
  /** An event that the host has declared, for all accounts. */
  declaredEvent: (event: string): Key => [...keys.declaredEvents(), event],
  /** Prefix, followed by the name. */
  declaredEvents: (): Key => ["p00", declaredEventTable],
  /** Changes whenever a declared event changes. */
  declaredEventsMark: (): Key => ["p00", "event-types-mark"],
  /** The fingerprint of the address is in its place. */
  suppression: (email: string, fingerprint: string): Key => [partitionOf(email), "suppression", fingerprint],
  /** Older versions stored the address. */
  suppressionByAddress: (email: string): Key => keyOf("suppression", email),

  /** Prefix, followed by the entry id: the audit log of an account. */
  audit: (accountId: string): Key => keyOf("audit", accountId),
  /** Prefix, followed by the entry id: what stays of the audit log after the account was deleted. */
  auditAfterAccount: (accountId: string): Key => keyOf(auditAfterAccountTable, accountId),
  /** Prefix, followed by the entry id: the audit log of a partition, for the host. */
  auditLog: (partition: string): Key => [partition, auditLogTable],

  project: (accountId: string, projectId: string): Key => keyOf("project", accountId, projectId),
  projects: (accountId: string): Key => keyOf("project", accountId),
  projectList: (accountId: string): Key => keyOf("project-list", accountId),
  emailList: (accountId: string, listId: string): Key => keyOf("email-list", accountId, listId),
  /** Prefix, followed by the site id, so that one index serves both filters. */
  emailListList: (accountId: string): Key => keyOf("email-list-list", accountId),
  apiKey: (accountId: string, keyId: string): Key => keyOf("api-key", accountId, keyId),
  apiKeys: (accountId: string): Key => keyOf("api-key", accountId),
  /** The number of keys that are not revoked. */
  apiKeyCount: (accountId: string): Key => keyOf("api-key-count", accountId),
  apiKeyUse: (accountId: string, keyId: string): Key => keyOf("api-key-use", accountId, keyId),

  record: (accountId: string, kind: string, recordId: string): Key => [
    // Written out, as in `recordEntryOf`.
    partitionOf(accountId),
    "record",
    accountId,
    kind,
    recordId,
  ],
  /** Prefix, followed by the kind and the id. */
  records: (accountId: string): Key => keyOf("record", accountId),
  /** Samples of an event, and orders by project and status. The event is `orders` for an order with no event of the specification. */
  recordList: (accountId: string, event: string): Key => keyOf("record-list", accountId, event),
  recordListEntry: (accountId: string, event: string, entry: RecordEntry): Key =>
    recordEntryOf("record-list", accountId, event, entry),
  ordersByEmail: (accountId: string, email: string): Key => keyOf("order-by-email", accountId, email),
  orderByEmail: (accountId: string, email: string, entry: RecordEntry): Key =>
    recordEntryOf("order-by-email", accountId, email, entry),
  ordersByNumber: (accountId: string, number: string): Key => keyOf("order-by-number", accountId, number),
  /** Prefix, followed by the number. */
  orderNumbers: (accountId: string): Key => keyOf("order-by-number", accountId),
  orderByNumber: (
    accountId: string,
    number: string,
    email: string,
    { projectId, status, createdAt, arrival, id }: RecordEntry,
  ): Key => [
    // Written out, as in `recordEntryOf`.
    partitionOf(accountId),
    "order-by-number",
    accountId,
    number,
    email,
    projectId,
    status,
    createdAt,
    arrival,
    id,
  ],
  /** Records of other kinds with a customer. Subscribers have entries of their own. */
  recordByEmail: (accountId: string, email: string, kind: string, recordId: string): Key =>
    keyOf("record-by-email", accountId, email, kind, recordId),
  recordsByEmail: (accountId: string, email: string): Key => keyOf("record-by-email", accountId, email),

  /** Prefix, followed by the time of the publish, the event and its id: the events that were published with an id, oldest first. */
  eventsWithId: (accountId: string): Key => keyOf(eventWithIdTable, accountId),
  /** Prefix, followed by the kind and the id of a record, the event and its id. */
  eventsByRecord: (accountId: string): Key => keyOf(eventOfRecordTable, accountId),
  /** Prefix, followed by the event and its id: the events with an id that are about a record. */
  eventsOfRecord: (accountId: string, kind: string, recordId: string): Key =>
    keyOf(eventOfRecordTable, accountId, kind, recordId),
  /** Deliveries that no publish created: resends and tests. The row of the record has the others. They are here after it is removed. */
  deliveryOfRecord: (accountId: string, recordId: string, deliveryId: string): Key =>
    keyOf("delivery-of-record", accountId, recordId, deliveryId),
  deliveriesOfRecord: (accountId: string, recordId: string): Key =>
    keyOf("delivery-of-record", accountId, recordId),
  /** Prefix, followed by the record id and the delivery id. */
  deliveriesByRecord: (accountId: string): Key => keyOf("delivery-of-record", accountId),
  /** The data of a record before it was changed or deleted. Deliveries that sent it refer to it. */
  recordVersion: (accountId: string, { kind, recordId, version }: RecordVersion): Key =>
    keyOf("record-version", accountId, kind, recordId, version),
  /** Prefix, followed by the version. */
  recordVersions: (accountId: string, kind: string, recordId: string): Key =>
    keyOf("record-version", accountId, kind, recordId),
  /** When a version was replaced: the order in which versions are swept. */
  recordVersionEnd: (accountId: string, endedAt: number, { kind, recordId, version }: RecordVersion): Key =>
    keyOf("record-version-end", accountId, endedAt, kind, recordId, version),
  recordVersionEnds: (accountId: string): Key => keyOf("record-version-end", accountId),

  /** The links that show a delivery to everybody. */
  shares: (accountId: string, deliveryId: string): Key => keyOf("share", accountId, deliveryId),
  /** Prefix, followed by the delivery id. */
  sharesOf: (accountId: string): Key => keyOf("share", accountId),
  /** Prefix, followed by the webhook id: URLs that the operator refuses to the account. They outlive the webhook. */
  disabledTargets: (accountId: string): Key => keyOf(disabledTargetTable, accountId),
  disabledTargetsIn: (partition: string): Key => [partition, disabledTargetTable],
  resend: (accountId: string, jobId: string): Key => keyOf("recovery", accountId, jobId),
  /** Prefix, followed by the id: recoveries, and jobs with several webhooks. */
  resends: (accountId: string): Key => keyOf("recovery", accountId),
  /** The owner is the webhook of a recovery. */
  resendOfOwner: (accountId: string, owner: string, jobId: string): Key =>
    keyOf("recovery-of-webhook", accountId, owner, jobId),
  resendsOfOwner: (accountId: string, owner: string): Key => keyOf("recovery-of-webhook", accountId, owner),
  /** A job that runs. For a recovery, the parts are those of an endpoint, so its notification is one about the webhook. */
  resendRunning: (accountId: string, event: string, webhookId: string): Key =>
    keyOf(resendRunningTable, accountId, event, webhookId),
  resendsRunning: (accountId: string, owner: string): Key => keyOf(resendRunningTable, accountId, owner),
  webhookAction: (jobId: string): Key => [...keys.webhookActions(), jobId],
  /** Prefix, followed by the id. One partition has all, so one worker runs them. */
  webhookActions: (): Key => keyOf("webhook-action", operator),
  webhookActionRunning: (jobId: string): Key => keyOf(webhookActionRunningTable, operator, jobId),
  erasure: (accountId: string, erasureId: string): Key => keyOf("erasure", accountId, erasureId),
  erasureRunning: (accountId: string, slot: string): Key => keyOf(erasureRunningTable, accountId, slot),
  /** Prefix, followed by the slot. */
  erasuresRunning: (accountId: string): Key => keyOf(erasureRunningTable, accountId),
  /** What people of the account said about its issues and alerts. */
  marks: (accountId: string): Key => keyOf("marks", accountId),
  /** Prefix, followed by the time of the publish, arrival and id of the record, and the event of a webhook with several. */
  missedEvents: (accountId: string, webhookId: string): Key => keyOf(missedEventTable, accountId, webhookId),
  missedEventsOf: (accountId: string): Key => keyOf(missedEventTable, accountId),

  contact: (accountId: string, contactId: string): Key => keyOf("contact", accountId, contactId),
  contactOfEmail: (accountId: string, email: string, projectId: string): Key =>
    keyOf("contact-of-email", accountId, email, projectId),
  contacts: (accountId: string): Key => keyOf("contact", accountId),
  /** Prefix, followed by the contact id: the contacts with one address on several sites, newest first. */
  contactsOfEmail: (accountId: string, email: string): Key => keyOf("contacts-of-email", accountId, email),
  /** Prefix, followed by the contact id. */
  contactsOfProject: (accountId: string, projectId: string): Key =>
    keyOf("contacts-of-project", accountId, projectId),
  subscriberOfEmail: (accountId: string, projectId: string, email: string): Key =>
    keyOf("subscriber-of-email", accountId, projectId, email),
  /** Prefix, followed by the record id: further records with the address of a subscriber. */
  subscribersOfEmail: (accountId: string, projectId: string, email: string): Key =>
    keyOf("subscribers-of-email", accountId, projectId, email),
  /** The number of new subscribers in a calendar month. */
  newSubscribers: (accountId: string, month: string): Key => keyOf("new-subscribers", accountId, month),
  /** The requests of the last minute under one rate limit. The key of `/v1` has no name, for compatibility with older versions. */
  requestWindow: (accountId: string, limit: string): Key =>
    limit === "default" ? keyOf("request-window", accountId) : keyOf("request-window", accountId, limit),
  /** Prefix, followed by the request id. */
  requests: (accountId: string): Key => keyOf("request", accountId),
  requestCount: (accountId: string): Key => keyOf("request-count", accountId),
  /** The listeners of an account that a publish must consider. Absent for nearly all accounts. */
  listenerIndex: (accountId: string): Key => keyOf("listener-index", accountId),
  listener: (accountId: string, listenerId: string): Key => keyOf("listener", accountId, listenerId),
  /** The listeners of all accounts of a partition. */
  listenersIn: (partition: string): Key => [partition, "listener"],
  /** Events that have no place in the order of the listeners yet. Each writer has its own ring of slots. */
  listenerInbox: (accountId: string): Key => keyOf("listener-inbox", accountId),
  listenerInboxSlot: (accountId: string, writer: string, slot: number): Key =>
    keyOf("listener-inbox", accountId, writer, slot),
  /** Prefix, followed by the position: the events for listeners in the order in which readers get them. */
  listenerLog: (accountId: string): Key => keyOf("listener-log", accountId),
  listenerLogState: (accountId: string): Key => keyOf("listener-log-state", accountId),
  /** The position of an event. */
  listenerEvent: (accountId: string, deliveryId: string): Key =>
    keyOf("listener-event", accountId, deliveryId),
  /** Prefix, followed by the delivery and the listener. */
  listenerResults: (accountId: string, bodyId: string): Key => keyOf("listener-result", accountId, bodyId),
  /** Prefix, followed by the time, the delivery and the listener: the results of the last minute. */
  listenerReports: (accountId: string): Key => keyOf("listener-report", accountId),
  blogPost: (accountId: string, postId: string): Key => keyOf("blog-post", accountId, postId),
  blogPostCount: (accountId: string, projectId: string): Key =>
    keyOf("blog-post-count", accountId, projectId),
  /** All slugs with this base are taken up to this number. Slugs never become free. Written only above 50. */
  blogPostSlugsTaken: (accountId: string, projectId: string, base: string): Key =>
    keyOf("blog-post-slugs-taken", accountId, projectId, base),
  blogPostSlug: (accountId: string, projectId: string, slug: string): Key =>
    keyOf("blog-post-slug", accountId, projectId, slug),
} as const;

/** A row of an account, or of something else with a partition of its own, such as a fingerprint. */
function keyOf(table: string, owner: string, ...parts: readonly KeyPart[]): Key {
  return [partitionOf(owner), table, owner, ...parts];
}

/**
 * An entry of a list of records. Every publish makes such keys, so they are written out: a rest parameter would copy its parts and
 * leave free space behind them.
 */
function recordEntryOf(
  table: string,
  accountId: string,
  list: string,
  { projectId, status, createdAt, arrival, id }: RecordEntry,
): Key {
  return [partitionOf(accountId), table, accountId, list, projectId, status, createdAt, arrival, id];
}
