import { listRemovedWebhooks, listWebhooks } from "@hookwright/delivery";
import type { DeliveryRow, RemovedWebhookRow, WebhookRow } from "@hookwright/delivery";
import { bodyId, isEmailAddress, isRecordId, normaliseEmail } from "@hookwright/domain";
import type { DeliveryMatch, EventRegistry } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { findBeginnings, toLowerAscii } from "@hookwright/storage/sorted-runs";
import { keys } from "../rows/keys.ts";
import { parseRecordRow, toIndexText } from "../rows/record-row.ts";
import type { RecordHead } from "../rows/record-row.ts";
import type { OrderFilters } from "../use-cases.ts";
import { findRecordsByEmail } from "./find-records-by-email.ts";
import type { FoundRecords, RecordName } from "./find-records-by-email.ts";
import { kindOf } from "./find-records.ts";
import { maximumWebhooks } from "./find-webhooks.ts";

export interface SearchContext {
  readonly store: Store;
  readonly events: EventRegistry;
  readonly findOrdersOfHost: FindOrdersOfHost | undefined;
  /** What a failure of the host's repository does. @default "skip": its orders are left out */
  readonly onHostFailure?: "skip" | "throw" | undefined;
}

/** The ids of orders that the host keeps: those with the number or the address of any filter. `isComplete` false: there are more. */
export type FindOrdersOfHost = (
  accountId: string,
  anyOf: readonly Pick<OrderFilters, "number" | "email">[],
  onFailure: "skip" | "throw",
) => Promise<{ readonly ids: readonly string[]; readonly isComplete: boolean }>;

/** A record that a text names, and by what. With an empty kind it stands for the deliveries that the index has of the id. */
export interface MatchedRecord extends RecordName {
  /** Has the other deliveries. `undefined` with an empty kind. */
  readonly head: RecordHead | undefined;
  readonly by: "id" | "number" | "email";
}

/** A webhook that a text names, and by what. */
export interface MatchedWebhook {
  readonly row: WebhookRow | RemovedWebhookRow;
  readonly by: "id" | "name" | "url";
}

/** What a text names in an account. */
export interface TextMatch {
  /** Without blanks around it, in lower case. */
  readonly text: string;
  readonly records: readonly MatchedRecord[];
  /** False: so many records match that only some of them were read. */
  readonly isComplete: boolean;
  readonly webhooks: readonly MatchedWebhook[];
  /** The deliveries among some whose webhook, record or own id the text names. */
  filter(rows: readonly DeliveryRow[]): Promise<readonly DeliveryRow[]>;
  /** By what the text names a delivery that `filter` has returned. */
  by(row: DeliveryRow): DeliveryMatch;
}

/** An event name, and a record id of at most 128 characters of two UTF-16 units each. */
const longestText = 512;
/** A part of a URL or name. Nearly every URL has a given letter. */
const shortestPart = 3;
/** Records that are read. If more match, deliveries are filtered instead. */
const maximumRecords = 500;
/** Their rows together. */
const maximumCharacters = 4 * 1024 * 1024;
const rowsAtOnce = 32;
/** Records with resends, or that were removed. Each costs a read of their deliveries. */
const maximumIndexed = 100;
const maximumKinds = 100;

/**
 * Finds what a text names, by the indexes that there are anyway:
 *
 * - a record by the beginning of its id, or of a body id, and an order by its number, each in any case
 * - the records of a person by the whole e-mail address
 * - a webhook by a part of its name or URL
 *
 * Orders that the host keeps are also asked for by number and address.
 */
export async function matchText(
  context: SearchContext,
  accountId: string,
  given: string,
): Promise<TextMatch> {
  const text = toLowerAscii(given.trim());
  if (text === "" || text.length > longestText || !text.isWellFormed())
    return { text, records: [], isComplete: true, webhooks: [], filter: async () => [], by: () => "id" };
  const beginnings = findBeginningsOfIds(context.events, text);
  const [byId, byNumber, byEmail, ofHost, webhooks] = await Promise.all([
    findByIds(context.store, accountId, beginnings),
    findByNumber(context.store, accountId, text),
    findRecordsByEmail(context.store, accountId, text, maximumRecords),
    findOfHost(context, accountId, text),
    findWebhooks(context.store, accountId, text),
  ]);
  const known = new Set(byId.records.map(toName));
  const named = [
    ...byNumber.records.map((record) => ({ ...record, by: "number" as const })),
    ...byEmail.records.map((record) => ({ ...record, by: "email" as const })),
    ...ofHost.records,
  ].filter((record) => !known.has(toName(record)) && known.add(toName(record)));
  const read = await readHeads(context.store, accountId, named);
  const isComplete = [byId, byNumber, byEmail, ofHost, read].every((found) => found.isComplete);
  const records = [...byId.records, ...read.records];
  const byField = isEmailAddress(text) ? "email" : "number";
  return { text, records, isComplete, webhooks, filter, by: (row) => byOf(row) ?? byField };

  async function filter(rows: readonly DeliveryRow[]): Promise<readonly DeliveryRow[]> {
    const others = isComplete ? [] : rows.filter((row) => byOf(row) === undefined);
    const ofMany = new Set(await filterByHead(context, accountId, others, text));
    return rows.filter((row) => ofMany.has(row) || byOf(row) !== undefined);
  }

  function byOf(row: DeliveryRow): DeliveryMatch | undefined {
    if (row.id.startsWith(text)) return "id";
    const recordId = toLowerAscii(row.record_id);
    const event = toLowerAscii(row.event);
    if (beginnings.some((each) => (each.event ?? event) === event && recordId.startsWith(each.text)))
      return "record_id";
    // An unknown event may have any kind.
    const record = read.records.find(
      ({ id, kind }) =>
        id === row.record_id &&
        (context.events.find(row.event) === undefined || kindOf(context.events, row.event) === kind),
    );
    if (record !== undefined) return byField;
    return webhooks.some(({ row: { id } }) => id === row.webhook_id) ? "webhook" : undefined;
  }
}

/** As {@link matchText}, but only the whole id of a body, exactly as it was sent. */
export async function matchBodyId(
  { store, events }: Pick<SearchContext, "store" | "events">,
  accountId: string,
  text: string,
): Promise<TextMatch> {
  const found = await findByIds(store, accountId, findBeginningsOfIds(events, text), true);
  const filter = async (rows: readonly DeliveryRow[]): Promise<readonly DeliveryRow[]> =>
    rows.filter((row) => bodyId(row.event, row.record_id) === text);
  return { text, ...found, webhooks: [], filter, by: () => "record_id" };
}

function toName({ kind, id }: RecordName): string {
  return `${kind} ${id}`;
}

/** What the id of a record begins with. With an event it is the rest of a body id. */
interface Beginning {
  readonly event?: string;
  readonly text: string;
}

/** A body id of an event that the host has removed may end its name at any underscore. More of them are not tried. */
const maximumUnknownNames = 8;

/** `order.created_ord_1001` is a body id of `order.created`, and it may be the id of a record. */
function findBeginningsOfIds(events: EventRegistry, text: string): readonly Beginning[] {
  // `webhook-id` has other characters than visible ASCII as percent codes.
  const decoded = text.replace(/(?:%[89a-f][0-9a-f])+/giu, decodeOr);
  const folded = toLowerAscii(decoded);
  const known = events.names.map(toLowerAscii).filter((name) => folded.startsWith(`${name}_`));
  const names = known.length > 0 ? known : findUnknownNames(folded);
  return [
    { text },
    ...names.map((event) => ({ event, text: toLowerAscii(decoded.slice(event.length + 1)) })),
  ].filter((each) => isRecordId(each.text));
}

function findUnknownNames(text: string): readonly string[] {
  const [beginning = ""] = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+){1,4}/u.exec(text) ?? [];
  const ends = [...beginning.matchAll(/_/gu)].map(({ index }) => index);
  return ends
    .map((end) => text.slice(0, end))
    .filter((name) => name.includes(".") && !name.endsWith("."))
    .slice(0, maximumUnknownNames);
}

function decodeOr(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

interface Matched {
  readonly records: readonly MatchedRecord[];
  readonly isComplete: boolean;
}

/** Removed webhooks whose names and URLs are compared, the newest first. */
const maximumRemoved = 100;

/** The records whose ids begin like this, and removed ones that still have deliveries. */
async function findByIds(
  store: Store,
  accountId: string,
  beginnings: readonly Beginning[],
  isWhole = false,
): Promise<Matched> {
  const prefix = keys.records(accountId);
  const first = await store.list({ prefix, limit: maximumKinds, groupBy: 1 });
  const kinds = first.map(({ key }) => String(key[prefix.length]));
  const found = await Promise.all(
    beginnings.flatMap(({ text }) => [
      ...kinds.map((kind) =>
        findBeginnings(store, {
          prefix: [...prefix, kind],
          text,
          isWhole,
          maximum: maximumRecords,
          maximumCharacters,
        }),
      ),
      findBeginnings(store, {
        prefix: keys.deliveriesByRecord(accountId),
        text,
        isWhole,
        maximum: maximumIndexed,
      }),
    ]),
  );
  const records = new Map<string, MatchedRecord>();
  for (const { entries } of found) {
    for (const { key, value } of entries) {
      const record = key[1] === prefix[1] ? toRecord(key, value) : toRemoved(key);
      records.set(toName(record), record);
    }
  }
  return {
    records: [...records.values()],
    isComplete:
      kinds.length < maximumKinds &&
      records.size <= maximumRecords &&
      found.every(({ isComplete }) => isComplete),
  };
}

function toRecord(key: Key, text: string): MatchedRecord {
  return { kind: String(key.at(-2)), id: String(key.at(-1)), head: parseRecordRow(text).head, by: "id" };
}

function toRemoved(key: Key): MatchedRecord {
  return { kind: "", id: String(key.at(-2)), head: undefined, by: "id" };
}

/** Orders by their whole number. */
async function findByNumber(store: Store, accountId: string, text: string): Promise<FoundRecords> {
  const prefix = keys.orderNumbers(accountId);
  const numbers = await Promise.all(
    toNumbers(text).map((number) =>
      findBeginnings(store, { prefix, text: number, isWhole: true, maximum: maximumRecords }),
    ),
  );
  const parts = numbers.flatMap(({ entries }) => entries.map(({ key }) => String(key[prefix.length])));
  const limit = maximumRecords + 1;
  const lists = await Promise.all(
    parts.map((number) => store.list({ prefix: keys.ordersByNumber(accountId, number), limit })),
  );
  const ids = lists.flat().map(({ key }) => String(key.at(-1)));
  return {
    records: ids.slice(0, maximumRecords).map((id) => ({ kind: "orders", id })),
    isComplete: ids.length <= maximumRecords && numbers.every(({ isComplete }) => isComplete),
  };
}

/** People leave out the sign of `#1001`, or add it. A number that is too long for a key is not found. */
function toNumbers(text: string): readonly string[] {
  const bare = text.replace(/^#/u, "");
  return [bare, `#${bare}`].filter((each) => each !== "" && toIndexText(each) === each);
}

interface Named extends RecordName {
  readonly by: "number" | "email";
}

/** Orders that the host keeps. Nothing else is searched there. */
async function findOfHost(
  { findOrdersOfHost, onHostFailure = "skip" }: SearchContext,
  accountId: string,
  text: string,
): Promise<{ readonly records: readonly Named[]; readonly isComplete: boolean }> {
  if (findOrdersOfHost === undefined) return { records: [], isComplete: true };
  const email = normaliseEmail(text);
  const by = isEmailAddress(email) ? "email" : "number";
  const filters = by === "email" ? [{ email }] : toNumbers(text).map((number) => ({ number }));
  const { ids, isComplete } = await findOrdersOfHost(accountId, filters, onHostFailure);
  return { records: ids.map((id) => ({ kind: "orders", id, by })), isComplete };
}

/** Reads what names the deliveries of records. */
async function readHeads(store: Store, accountId: string, named: readonly Named[]): Promise<Matched> {
  const records: MatchedRecord[] = [];
  let characters = 0;
  for (let first = 0; first < named.length; first += rowsAtOnce) {
    if (first >= maximumRecords || characters > maximumCharacters) return { records, isComplete: false };
    const batch = named.slice(first, first + rowsAtOnce);
    const texts = await store.getMany(batch.map(({ kind, id }) => keys.record(accountId, kind, id)));
    batch.forEach(({ kind, id, by }, index) => {
      const text = texts[index];
      characters += text?.length ?? 0;
      if (text !== undefined) records.push({ kind, id, head: parseRecordRow(text).head, by });
    });
  }
  return { records, isComplete: true };
}

/** The deliveries whose record has this number or address, if there are too many records to name them. */
async function filterByHead(
  { store, events }: SearchContext,
  accountId: string,
  rows: readonly DeliveryRow[],
  text: string,
): Promise<readonly DeliveryRow[]> {
  const email = toIndexText(normaliseEmail(text));
  const numbers = toNumbers(text);
  const found: DeliveryRow[] = [];
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const batch = rows.slice(first, first + rowsAtOnce);
    const texts = await store.getMany(
      batch.map(({ event, record_id: id }) => keys.record(accountId, kindOf(events, event), id)),
    );
    batch.forEach((row, index) => {
      const stored = texts[index];
      const head = stored === undefined ? undefined : parseRecordRow(stored).head;
      if (head !== undefined && (head.email === email || numbers.includes(toLowerAscii(head.number))))
        found.push(row);
    });
  }
  return found;
}

/** Present webhooks, and those removed in the last 30 days. */
async function findWebhooks(
  store: Store,
  accountId: string,
  text: string,
): Promise<readonly MatchedWebhook[]> {
  if (text.length < shortestPart) return [];
  const [present, removed] = await Promise.all([
    listWebhooks(store, accountId, { limit: maximumWebhooks }),
    listRemovedWebhooks(store, accountId, { limit: maximumRemoved }),
  ]);
  return [...present, ...removed].flatMap((row) => {
    const by = byWebhook(row, text);
    return by === undefined ? [] : [{ row, by }];
  });
}

function byWebhook(
  { id, name, target_url: url }: MatchedWebhook["row"],
  text: string,
): MatchedWebhook["by"] | undefined {
  if (name?.toLowerCase().includes(text) === true) return "name";
  if (url.toLowerCase().includes(text)) return "url";
  return text.startsWith("wh_") && id.startsWith(text) ? "id" : undefined;
}
