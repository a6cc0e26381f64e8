import { findDeliveries, matchesFilters } from "@hookwright/delivery";
import type { DeliveryRow, LogPage, LogQuery } from "@hookwright/delivery";
import { bodyId, isHostId, isRecordId } from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import { noSuch } from "./no-such.ts";

/** @throws HookwrightError `resource_not_found` */
export async function expectDelivery(
  store: Store,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const [delivery] = isHostId(deliveryId) ? await findDeliveries(store, accountId, [deliveryId]) : [];
  if (delivery === undefined) throw noSuch("delivery");
  return delivery;
}

export interface TextQuery extends LogQuery {
  /** The id of a delivery, a body or a record. */
  readonly text: string;
}

/** An event name, and a record id of at most 128 characters of two UTF-16 units each. */
const longestText = 512;
/** Rows that one request reads, or one more than a page if that is more. A record may have thousands of deliveries. */
const maximumRowsRead = 50;
/** Rows read together. Other requests run between two reads. */
const maximumReadTogether = 25;
const minimumReadAgain = 10;

/**
 * The deliveries that a text names: one by its own id, or all of a body or a record by the id of that.
 *
 * An index has the ids in order, so rows are read only until the page is full. If few of them match the other filters, the page is
 * short, and the next page continues behind it.
 */
export async function findByText(
  { store, events }: { readonly store: Store; readonly events: EventRegistry },
  query: TextQuery,
): Promise<LogPage> {
  const { accountId, text, filters, limit } = query;
  if (text.length > longestText) return { deliveries: [], next: undefined };
  const isNamed = (row: DeliveryRow): boolean =>
    row.id === text || row.record_id === text || bodyId(row.event, row.record_id) === text;
  const maximumRead = Math.max(maximumRowsRead, limit + 1);
  const ids = await findIds(store, events, query, maximumRead + 1);
  const candidates = ids.slice(0, maximumRead);

  const rows: DeliveryRow[] = [];
  let read = 0;
  while (rows.length <= limit && read < candidates.length) {
    const wanted = Math.max(limit + 1 - rows.length, read === 0 ? 0 : minimumReadAgain);
    const batch = candidates.slice(read, read + Math.min(wanted, maximumReadTogether));
    const found = await findDeliveries(store, accountId, batch);
    const named = found.filter((row) => isNamed(row) && matchesFilters(row, filters));
    rows.push(...named.toSorted((left, right) => (left.id < right.id ? 1 : -1)));
    read += batch.length;
  }
  const deliveries = rows.slice(0, limit);
  if (rows.length > limit) return { deliveries, next: deliveries.at(-1)?.id };
  return { deliveries, next: ids.length > read ? candidates[read - 1] : undefined };
}

/** A body id of an event that the host has removed may end its name at any underscore. More of them are not tried. */
const maximumUnknownNames = 8;

/** The events that a body id may begin with: `order.created_ord_1001` is one of `order.created`. */
function findEventsOfBodyId(events: EventRegistry, text: string): readonly string[] {
  const known = events.names.filter((name) => text.startsWith(`${name}_`));
  if (known.length > 0) return known;
  const beginning = /^[a-z_]+\.[a-z_]+_/u.exec(text)?.[0] ?? "";
  const ends = [...beginning.matchAll(/(?<=\.[a-z_]+)_/gu)].map(({ index }) => index);
  return ends.slice(0, maximumUnknownNames).map((end) => text.slice(0, end));
}

function isDeliveryId(text: string): boolean {
  return text.startsWith("dlv_") && isHostId(text);
}

/** The newest ids that the text may name. */
async function findIds(
  store: Store,
  events: EventRegistry,
  { accountId, text, before }: TextQuery,
  limit: number,
): Promise<string[]> {
  const named = findEventsOfBodyId(events, text);
  // A removed event may have had its own kind.
  const kinds = [...new Set([...events.kinds, ...named.filter((event) => events.find(event) === undefined)])];
  const recordIds = [text, ...named.map((event) => text.slice(event.length + 1))].filter(isRecordId);
  const ofRecords = await Promise.all(
    recordIds.map((recordId) => findIdsOfRecord(store, accountId, { recordId, kinds, before, limit })),
  );
  const ids = new Set([...(isDeliveryId(text) ? [text] : []), ...ofRecords.flat()]);
  return [...ids]
    .filter((id) => before === undefined || id < before)
    .toSorted((left, right) => (left < right ? 1 : -1))
    .slice(0, limit);
}

interface RecordQuery {
  readonly recordId: string;
  /** The kinds of records that may have this id. */
  readonly kinds: readonly string[];
  readonly before: string | undefined;
  readonly limit: number;
}

/** The row of the record has the deliveries of its publishes. The others, such as resends, have an entry each. */
async function findIdsOfRecord(
  store: Store,
  accountId: string,
  { recordId, kinds, before, limit }: RecordQuery,
): Promise<string[]> {
  const prefix = keys.deliveriesOfRecord(accountId, recordId);
  const [texts, entries] = await Promise.all([
    store.getMany(kinds.map((kind) => keys.record(accountId, kind, recordId))),
    store.list({
      prefix,
      limit,
      reverse: true,
      before: before === undefined ? undefined : [...prefix, before],
    }),
  ]);
  const published = texts.flatMap((text) => (text === undefined ? [] : parseRecordRow(text).head.deliveries));
  return [...published, ...entries.map(({ key }) => String(key.at(-1)))];
}
