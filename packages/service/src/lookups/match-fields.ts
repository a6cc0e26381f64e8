import type { DeliveryRow } from "@hookwright/delivery";
import { isEmailAddress, normaliseEmail } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { findBeginnings, toLowerAscii } from "@hookwright/storage/sorted-runs";
import type { ReadBudget } from "@hookwright/storage/sorted-runs";
import { keys } from "../rows/keys.ts";
import { toIndexText } from "../rows/record-row.ts";
import type { RecordHead } from "../rows/record-row.ts";
import { findRecordsByEmail } from "./find-records-by-email.ts";
import { kindOf } from "./find-records.ts";
import type { SearchContext } from "./search-context.ts";
import { listEventsAbout, readHeads, rowsAtOnce, toName } from "./read-heads.ts";
import type { MatchedRecords, NamedRecord, NamedRecords, ReadHead } from "./read-heads.ts";

/** Names that one search takes from an index. */
const maximumNames = 500;

export interface FieldQuery {
  readonly accountId: string;
  readonly text: string;
  readonly readHead: ReadHead;
}

/** The records with a number or an e-mail address, also orders that the host keeps, and the events with an id about orders with a number. */
export async function findByFields(
  context: SearchContext,
  query: FieldQuery & { readonly budget: ReadBudget },
): Promise<MatchedRecords> {
  const { text } = query;
  const lists = await Promise.all([
    findByNumber(context.store, query),
    findByEmail(context.store, query),
    findOfHost(context, query),
  ]);
  const events = await findEventsOfOrders(
    context.store,
    query,
    lists.flatMap(({ records }) => records),
  );
  const names = new Map<string, NamedRecord>();
  for (const record of [...lists, events].flatMap(({ records }) => records))
    if (!names.has(toName(record))) names.set(toName(record), record);
  const read = await readHeads(context.store, { ...query, named: [...names.values()] });
  const ofHost = new Set(lists[2].records.map(toName));
  return {
    // While versions are mixed, an older process leaves the entry of an address that a record had before.
    records: read.records.filter(
      (record) =>
        record.by !== "email" ||
        ofHost.has(toName(record)) ||
        (record.head !== undefined && hasAddress(record.head, text)),
    ),
    isComplete: read.isComplete && [...lists, events].every(({ isComplete }) => isComplete),
  };
}

/** Orders by their whole number. */
async function findByNumber(
  store: Store,
  { accountId, text, budget }: FieldQuery & { readonly budget: ReadBudget },
): Promise<NamedRecords> {
  const prefix = keys.orderNumbers(accountId);
  const numbers = await Promise.all(
    toNumbers(text).map((number) => findBeginnings(store, { prefix, text: number, isWhole: true, budget })),
  );
  const parts = numbers.flatMap(({ entries }) => entries.map(({ key }) => String(key[prefix.length])));
  const limit = maximumNames + 1;
  const lists = await Promise.all(
    parts.map((number) => store.list({ prefix: keys.ordersByNumber(accountId, number), limit })),
  );
  const ids = lists.flat().map(({ key }) => String(key.at(-1)));
  return {
    records: ids.slice(0, maximumNames).map((id) => ({ kind: "orders", id, by: "number" })),
    isComplete: ids.length <= maximumNames && numbers.every(({ isComplete }) => isComplete),
  };
}

/** Events with an id have the address of their person themselves, but no number. */
async function findEventsOfOrders(
  store: Store,
  { accountId, budget }: FieldQuery & { readonly budget: ReadBudget },
  found: readonly NamedRecord[],
): Promise<NamedRecords> {
  const orders = found.filter(({ by }) => by === "number");
  const none = { records: [], isComplete: true };
  if (orders.length === 0) return none;
  const ofAny = await store.list({ prefix: keys.eventsByRecord(accountId), limit: 1 });
  return ofAny.length === 0 ? none : listEventsAbout(store, accountId, orders, budget);
}

/** People leave out the sign of `#1001`, or add it. A number that is too long for a key is not found. */
function toNumbers(text: string): readonly string[] {
  const bare = text.replace(/^#/u, "");
  return [bare, `#${bare}`].filter((each) => each !== "" && toIndexText(each) === each);
}

async function findByEmail(store: Store, { accountId, text }: FieldQuery): Promise<NamedRecords> {
  const found = await findRecordsByEmail(store, accountId, text, maximumNames);
  return { ...found, records: found.records.map((record) => ({ ...record, by: "email" })) };
}

/** Orders that the host keeps. Nothing else is searched there. */
async function findOfHost(
  { findOrdersOfHost, onHostFailure = "skip" }: SearchContext,
  { accountId, text }: FieldQuery,
): Promise<NamedRecords> {
  if (findOrdersOfHost === undefined) return { records: [], isComplete: true };
  const email = normaliseEmail(text);
  const by = isEmailAddress(email) ? "email" : "number";
  const filters = by === "email" ? [{ email }] : toNumbers(text).map((number) => ({ number }));
  const { ids, isComplete } = await findOrdersOfHost(accountId, filters, onHostFailure);
  return { records: ids.map((id) => ({ kind: "orders", id, by })), isComplete };
}

function hasAddress({ email }: RecordHead, text: string): boolean {
  const wanted = normaliseEmail(text);
  return email === toIndexText(wanted) || normaliseEmail(email) === wanted;
}

/** The deliveries whose record has this number or address, if there are too many records to name them. */
export async function filterByFields(
  { store, events }: SearchContext,
  { accountId, text, readHead }: FieldQuery,
  rows: readonly DeliveryRow[],
): Promise<readonly DeliveryRow[]> {
  const numbers = toNumbers(text);
  const found: DeliveryRow[] = [];
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const batch = rows.slice(first, first + rowsAtOnce);
    const names = batch.map((row) => ({ kind: kindOf(events, row), id: row.record_id }));
    // The order that an event with an id is about has the number.
    const orders = batch.map(({ about = "" }) => ({ kind: "orders", id: about }));
    const all = [...names, ...orders];
    const texts = await store.getMany(all.map(({ kind, id }) => keys.record(accountId, kind, id)));
    const heads = all.map((name, index) => {
      const stored = texts[index];
      return stored === undefined ? undefined : readHead(name, stored);
    });
    const isMatch = (head: RecordHead | undefined): boolean =>
      head !== undefined && (hasAddress(head, text) || numbers.includes(toLowerAscii(head.number)));
    found.push(...batch.filter((_, index) => isMatch(heads[index]) || isMatch(heads[batch.length + index])));
  }
  return found;
}
