import type { EventName, RecordKind } from "@hookwright/domain";
import type { Key } from "@hookwright/storage";
import { partitionOf } from "@hookwright/storage";
import type { Position } from "../store/positions.ts";

/** What the directory can find the account of. */
export type DirectoryKind = "project" | "email-list" | "api-key";

/** What an entry of a record ends in: filters that are left open, and its position. */
export interface RecordEntry extends Position {
  readonly projectId: string;
  readonly status: string;
}

/**
 * Every key this package writes. Rows of an account lie in the account's partition; what must be found without knowing
 * the account (a key's fingerprint, a site's id) has an entry in a partition of its own.
 *
 * Ids of our own making are ordered by time, so their rows are lists already. Records and sites keep the host's ids:
 * their lists are index entries which end in (created_at, arrival, id), the order every list of the API has.
 *
 * The entries of a published record are written out, part by part: an array that others are spread into has to grow.
 */
export const keys = {
  account: (accountId: string): Key => [partitionOf(accountId), "account", accountId],
  /** The mails to the owner in the last 24 hours. */
  mailCount: (accountId: string): Key => [partitionOf(accountId), "mail-count", accountId],
  accountPassword: (accountId: string): Key => [partitionOf(accountId), "account-password", accountId],
  /** Changes with the address that the account signs in with. */
  signInMark: (accountId: string): Key => [partitionOf(accountId), "sign-in-mark", accountId],
  accountOfEmail: (email: string, accountId: string): Key => [
    partitionOf(email),
    "account-of-email",
    email,
    accountId,
  ],
  /** Followed by the account. */
  accountsOfEmail: (email: string): Key => [partitionOf(email), "account-of-email", email],
  consoleSession: (fingerprint: string): Key => [partitionOf(fingerprint), "console-session", fingerprint],
  /** Changes with the accounts that sign in with an address. */
  signInGuard: (email: string): Key => [partitionOf(email), "sign-in-guard", email],
  /** Failures of one network for one address. */
  signInWindow: (email: string, network: string): Key => [
    partitionOf(email),
    "sign-in-window",
    email,
    network,
  ],
  directory: (kind: DirectoryKind, id: string): Key => [partitionOf(`${kind}:${id}`), "directory", kind, id],
  keyFingerprint: (fingerprint: string): Key => [partitionOf(fingerprint), "key-fingerprint", fingerprint],
  /** One for the whole store: tells whether a server secret is the one that the data was written with. */
  serverSecretCheck: (): Key => ["p00", "server-secret-check"],
  suppression: (email: string): Key => [partitionOf(email), "suppression", email],

  project: (accountId: string, projectId: string): Key => [
    partitionOf(accountId),
    "project",
    accountId,
    projectId,
  ],
  projectList: (accountId: string): Key => [partitionOf(accountId), "project-list", accountId],
  emailList: (accountId: string, listId: string): Key => [
    partitionOf(accountId),
    "email-list",
    accountId,
    listId,
  ],
  /** Followed by the site, so that one index serves both filters. */
  emailListList: (accountId: string): Key => [partitionOf(accountId), "email-list-list", accountId],
  apiKey: (accountId: string, keyId: string): Key => [partitionOf(accountId), "api-key", accountId, keyId],
  apiKeys: (accountId: string): Key => [partitionOf(accountId), "api-key", accountId],
  /** How many are not revoked. */
  apiKeyCount: (accountId: string): Key => [partitionOf(accountId), "api-key-count", accountId],
  apiKeyUse: (accountId: string, keyId: string): Key => [
    partitionOf(accountId),
    "api-key-use",
    accountId,
    keyId,
  ],

  record: (accountId: string, kind: RecordKind, recordId: string): Key => [
    partitionOf(accountId),
    "record",
    accountId,
    kind,
    recordId,
  ],
  /** Samples of an event, and orders by project and status. */
  recordList: (accountId: string, event: EventName): Key => [
    partitionOf(accountId),
    "record-list",
    accountId,
    event,
  ],
  recordListEntry: (accountId: string, event: EventName, entry: RecordEntry): Key => [
    partitionOf(accountId),
    "record-list",
    accountId,
    event,
    entry.projectId,
    entry.status,
    entry.createdAt,
    entry.arrival,
    entry.id,
  ],
  ordersByEmail: (accountId: string, email: string): Key => [
    partitionOf(accountId),
    "order-by-email",
    accountId,
    email,
  ],
  orderByEmail: (accountId: string, email: string, entry: RecordEntry): Key => [
    partitionOf(accountId),
    "order-by-email",
    accountId,
    email,
    entry.projectId,
    entry.status,
    entry.createdAt,
    entry.arrival,
    entry.id,
  ],
  ordersByNumber: (accountId: string, number: string): Key => [
    partitionOf(accountId),
    "order-by-number",
    accountId,
    number,
  ],
  orderByNumber: (accountId: string, number: string, email: string, entry: RecordEntry): Key => [
    partitionOf(accountId),
    "order-by-number",
    accountId,
    number,
    email,
    entry.projectId,
    entry.status,
    entry.createdAt,
    entry.arrival,
    entry.id,
  ],

  contact: (accountId: string, contactId: string): Key => [
    partitionOf(accountId),
    "contact",
    accountId,
    contactId,
  ],
  contactOfEmail: (accountId: string, email: string, projectId: string): Key => [
    partitionOf(accountId),
    "contact-of-email",
    accountId,
    email,
    projectId,
  ],
  contacts: (accountId: string): Key => [partitionOf(accountId), "contact", accountId],
  /** Followed by the contact's id: the same person on several sites, newest first. */
  contactsOfEmail: (accountId: string, email: string): Key => [
    partitionOf(accountId),
    "contacts-of-email",
    accountId,
    email,
  ],
  /** Followed by the contact's id. */
  contactsOfProject: (accountId: string, projectId: string): Key => [
    partitionOf(accountId),
    "contacts-of-project",
    accountId,
    projectId,
  ],
  subscriberOfEmail: (accountId: string, projectId: string, email: string): Key => [
    partitionOf(accountId),
    "subscriber-of-email",
    accountId,
    projectId,
    email,
  ],
  /** Followed by the record's id: those with an address that leads to another record. */
  subscribersOfEmail: (accountId: string, projectId: string, email: string): Key => [
    partitionOf(accountId),
    "subscribers-of-email",
    accountId,
    projectId,
    email,
  ],
  /** New subscribers of a calendar month. */
  newSubscribers: (accountId: string, month: string): Key => [
    partitionOf(accountId),
    "new-subscribers",
    accountId,
    month,
  ],
  /** The requests of the last minute under one rate limit. `/v1`, the oldest limit, has no name in its key. */
  requestWindow: (accountId: string, limit: string): Key =>
    limit === "default"
      ? [partitionOf(accountId), "request-window", accountId]
      : [partitionOf(accountId), "request-window", accountId, limit],
  /** Followed by the request's id. */
  requests: (accountId: string): Key => [partitionOf(accountId), "request", accountId],
  requestCount: (accountId: string): Key => [partitionOf(accountId), "request-count", accountId],
  blogPost: (accountId: string, postId: string): Key => [
    partitionOf(accountId),
    "blog-post",
    accountId,
    postId,
  ],
  blogPostCount: (accountId: string, projectId: string): Key => [
    partitionOf(accountId),
    "blog-post-count",
    accountId,
    projectId,
  ],
  /** Up to which number all slugs that begin so are taken; none ever becomes free. Where it is more than a few. */
  blogPostSlugsTaken: (accountId: string, projectId: string, base: string): Key => [
    partitionOf(accountId),
    "blog-post-slugs-taken",
    accountId,
    projectId,
    base,
  ],
  blogPostSlug: (accountId: string, projectId: string, slug: string): Key => [
    partitionOf(accountId),
    "blog-post-slug",
    accountId,
    projectId,
    slug,
  ],
} as const;
