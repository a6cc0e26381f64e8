import { deliveryStoreRules } from "@hookwright/delivery";
import type { Expectation, SigningSecretsRow, StoreRule } from "@hookwright/delivery";
import { isOwnEventName, roles } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Entry, Key } from "@hookwright/storage";
import { visitIndexKeys } from "../rows/record-change.ts";
import type { AccountRow } from "../rows/account-row.ts";
import type { ApiKeyRow } from "../rows/credential-rows.ts";
import { parseContactEntry, parseContactRow } from "../rows/contact-row.ts";
import { parseErasureRow } from "../rows/erasure-row.ts";
import {
  declaredEventTable,
  eventOfRecordTable,
  eventWithIdTable,
  keys,
  noticeMessageTable,
  noticeTable,
} from "../rows/keys.ts";
import type { DirectoryKind } from "../rows/keys.ts";
import type { ListenerRow } from "../rows/listener-row.ts";
import { parseNoticeEndpoint } from "../rows/notice-endpoint-row.ts";
import { parseNoticeMessage } from "../rows/notice-message-row.ts";
import { parseNoticeRow } from "../rows/notice-row.ts";
import { parseAllNoticeTargets } from "../rows/notice-targets-row.ts";
import { isActivePerson } from "../rows/person-row.ts";
import type { PersonRow } from "../rows/person-row.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import { parseSessionEntry } from "../rows/session-entry.ts";
import { parseShares } from "../rows/share-row.ts";
import { parseDeclaredEvent } from "../records/declared-events.ts";
import { parseCheckRow } from "../secrets/server-secret-match.ts";
import { toHeadersContext } from "../secrets/signing.ts";
import { toPositionParts } from "../store/positions.ts";

/**
 * What an intact store looks like, by the second part of a key. A crash between two commits may leave entries that lead to
 * nothing in other partitions, such as a claimed id. So only the opposite direction is checked there.
 */
export const storeRules: Readonly<Record<string, StoreRule>> = {
  ...deliveryStoreRules,

  account({ key, value }) {
    const row: AccountRow = parseRow(key, value);
    expectObject(row.plan);
    return [];
  },

  project({ key, value }) {
    const row: PositionedRow = parseRow(key, value);
    return [
      inDirectory("project", row.id, key),
      { keys: [[...keys.projectList(ownerOf(key)), ...positionOf(row)]], problem: "is in no list of sites" },
    ];
  },
  "project-list": (entry) => [rowOf(entry, "project", "the site")],

  "email-list"({ key, value }) {
    const row: PositionedRow & { readonly project_id: string } = parseRow(key, value);
    const entry: Key = [...keys.emailListList(ownerOf(key)), row.project_id, ...positionOf(row)];
    return [
      inDirectory("email-list", row.id, key),
      { keys: [entry], problem: "is in no list of e-mail lists" },
    ];
  },
  "email-list-list": (entry) => [rowOf(entry, "email-list", "the e-mail list")],

  "api-key"({ key, value }) {
    const row: ApiKeyRow = parseRow(key, value);
    return row.revoked_at === null ? [inDirectory("api-key", row.id, key)] : [];
  },

  record({ key, value }) {
    const [, , accountId, kind, recordId] = key;
    const { head, json } = parseRecordRow(value);
    JSON.parse(json);
    const expected: Expectation[] = [];
    const record = { accountId: String(accountId), kind: String(kind), recordId: String(recordId) };
    visitIndexKeys(record, head, (index) =>
      expected.push({ keys: [index], problem: `is missing in the index ${String(index[1])}` }),
    );
    return expected;
  },
  "order-by-email": (entry) => [orderOf(entry)],
  "order-by-number": (entry) => [orderOf(entry)],
  "record-by-email": ({ key }) => [
    {
      keys: [keys.record(ownerOf(key), String(key.at(-2)), String(key.at(-1)))],
      problem: "leads to a record that is missing or has another address",
      accepts: (text) => parseRecordRow(text).head.email === key.at(-3),
    },
  ],

  erasure({ key, value }) {
    const { id, work } = parseErasureRow(value);
    expectKey(id, key);
    if (work === undefined) return [];
    return [
      { keys: [keys.erasureRunning(ownerOf(key), work.slot)], problem: "runs, but nothing continues it" },
    ];
  },

  [declaredEventTable]({ key, value }) {
    const { description, schema, sample } = parseDeclaredEvent({ value });
    expectObject(schema);
    expectObject(sample);
    if (typeof description !== "string" || !isOwnEventName(String(key.at(-1))))
      throw new TypeError("a field has another type");
    return [];
  },

  [eventWithIdTable]: (entry) => [eventWithIdOf(entry)],
  [eventOfRecordTable]: (entry) => [eventWithIdOf(entry)],

  share({ value }) {
    if (!parseShares(value).every(({ id, expires_at: at }) => id.startsWith("shr_") && at > 0))
      throw new TypeError("a field has another type");
    return [];
  },

  [noticeTable]({ key, value }) {
    const row = parseNoticeRow(value);
    if (row === undefined) throw new TypeError("a field has another type");
    expectKey(row.notice.id, key);
    return [];
  },
  "notice-endpoint"({ value }) {
    expectObject(parseNoticeEndpoint(value)?.kinds);
    return [];
  },
  [noticeMessageTable]({ value }) {
    expectObject(parseNoticeMessage(value).notice);
    return [];
  },
  "notice-targets"({ value }) {
    for (const { kinds } of parseAllNoticeTargets(value)) expectObject(kinds);
    return [];
  },

  contact({ key, value }) {
    const row = parseContactRow(value);
    expectKey(row.id, key);
    const accountId = ownerOf(key);
    return [
      {
        keys: [keys.contactOfEmail(accountId, row.email, row.project_id)],
        problem: "is missing in the index by address",
        accepts: (text) => parseContactEntry(text).id === row.id,
      },
      {
        keys: [[...keys.contactsOfEmail(accountId, row.email), row.id]],
        problem: "is missing in a list of contacts",
      },
      {
        keys: [[...keys.contactsOfProject(accountId, row.project_id), row.id]],
        problem: "is missing in a list of contacts",
      },
    ];
  },
  "contact-of-email": ({ key, value }) => [
    {
      keys: [keys.contact(ownerOf(key), parseContactEntry(value).id)],
      problem: "leads to a contact that is missing",
    },
  ],
  "contacts-of-email": (entry) => [rowOf(entry, "contact", "the contact")],
  "contacts-of-project": (entry) => [rowOf(entry, "contact", "the contact")],

  "blog-post"({ key, value }) {
    const row: { readonly id: string; readonly project_id: string; readonly slug: string } = parseRow(
      key,
      value,
    );
    return [
      {
        keys: [keys.blogPostSlug(ownerOf(key), row.project_id, row.slug)],
        problem: "has a slug that does not lead to it",
        accepts: (text) => text === row.id,
      },
    ];
  },
  "blog-post-slug": ({ key, value }) => [
    { keys: [keys.blogPost(ownerOf(key), value)], problem: "leads to a blog post that is missing" },
  ],

  "record-version-end"({ key }) {
    const [, , , , kind, recordId, version] = key;
    const row = { kind: String(kind), recordId: String(recordId), version: Number(version) };
    return [
      { keys: [keys.recordVersion(ownerOf(key), row)], problem: "leads to data of a record that is missing" },
    ];
  },

  person({ key, value }) {
    const row: PersonRow = parseRow(key, value);
    if (!roles.includes(row.role)) throw new TypeError("a field has another type");
    if (!isActivePerson(row)) return [];
    const entry = keys.personOfEmail(row.email, ownerOf(key), row.id);
    return [{ keys: [entry], problem: "cannot sign in: the address does not lead to it" }];
  },
  "session-entry"({ key, value }) {
    expectKey(parseSessionEntry(value).id, key);
    return [];
  },

  "server-secret-check"({ value }) {
    if (parseCheckRow(value) === undefined) throw new TypeError("it is damaged, or of a later version");
    return [];
  },
};

/** The encrypted values of a row, and what each is authenticated with. */
export const sealedValues: Readonly<
  Record<string, (value: string) => readonly { readonly sealed: string; readonly context: string }[]>
> = {
  "signing-secret"(value) {
    const { webhook_id: id, current, pending, headers }: SigningSecretsRow = JSON.parse(value);
    return [
      { sealed: current, context: id },
      ...(pending === null ? [] : [{ sealed: pending, context: id }]),
      ...(headers === undefined ? [] : [{ sealed: headers.sealed, context: toHeadersContext(id) }]),
    ];
  },
  listener(value) {
    const { id, secret }: ListenerRow = JSON.parse(value);
    return [{ sealed: secret, context: id }];
  },
};

/** Counters, the rows that they count, and which of them. */
export const counters: Readonly<
  Record<
    string,
    { readonly prefix: (key: Key) => Key; readonly counts: (value: string, key: Key) => boolean }
  >
> = {
  "api-key-count": {
    prefix: (key) => keys.apiKeys(ownerOf(key)),
    counts(value) {
      const row: ApiKeyRow = JSON.parse(value);
      return row.revoked_at === null;
    },
  },
  "blog-post-count": {
    prefix: ([partition, , accountId = ""]) => [partition, "blog-post", accountId],
    counts(value, key) {
      const row: { readonly project_id: string } = JSON.parse(value);
      return row.project_id === key.at(-1);
    },
  },
};

interface PositionedRow {
  readonly id: string;
  readonly created_at: number;
  readonly arrival: number;
}

function positionOf({ id, created_at: createdAt, arrival }: PositionedRow) {
  return toPositionParts({ createdAt, arrival, id });
}

function parseRow<Row extends { readonly id: string }>(key: Key, value: string): Row {
  const row: Row = JSON.parse(value);
  expectKey(row.id, key);
  return row;
}

function expectKey(id: unknown, key: Key): void {
  if (id !== key.at(-1)) throw new TypeError("it does not match its key");
}

function expectObject(value: unknown): void {
  if (typeof value !== "object" || value === null) throw new TypeError("a field has another type");
}

function ownerOf([, , accountId]: Key): string {
  return String(accountId);
}

function inDirectory(kind: DirectoryKind, id: string, key: Key): Expectation {
  return {
    keys: [keys.directory(kind, id)],
    problem: "cannot be found by its id",
    accepts: (text) => text === ownerOf(key),
  };
}

/** The row that an index entry ends in. */
function rowOf({ key }: Entry, table: string, what: string): Expectation {
  const accountId = ownerOf(key);
  return {
    keys: [[partitionOf(accountId), table, accountId, key.at(-1) ?? ""]],
    problem: `leads to a row that is missing: ${what}`,
  };
}

/** Its key ends in the event and its id. */
function eventWithIdOf({ key }: Entry): Expectation {
  return {
    keys: [keys.record(ownerOf(key), String(key.at(-2)), String(key.at(-1)))],
    problem: "leads to an event that is missing, or was published without an id",
    accepts: (text) => parseRecordRow(text).head.about !== undefined,
  };
}

function orderOf({ key }: Entry): Expectation {
  return {
    keys: [keys.record(ownerOf(key), "orders", String(key.at(-1)))],
    problem: "leads to an order that is missing",
  };
}
