import { findDeliveries, matchesFilters } from "@hookwright/delivery";
import type { DeliveryRow, LogPage, LogQuery } from "@hookwright/delivery";
import { eventNames, isHostId, isRecordId, recordKinds } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";

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
export async function findByText(store: Store, query: TextQuery): Promise<LogPage> {
  const { accountId, text, filters, limit } = query;
  if (text.length > longestText) return { deliveries: [], next: undefined };
  const body = parseBodyId(text);
  const isNamed = (row: DeliveryRow): boolean =>
    row.id === text ||
    row.record_id === text ||
    (body !== undefined && row.record_id === body.recordId && row.event === body.event);
  const maximumRead = Math.max(maximumRowsRead, limit + 1);
  const ids = await findIds(store, query, body?.recordId, maximumRead + 1);
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

/** A body id is an event name and a record id: `order.created_ord_1001`. */
function parseBodyId(text: string): { readonly event: EventName; readonly recordId: string } | undefined {
  const event = eventNames.find((name) => text.startsWith(`${name}_`));
  const recordId = event === undefined ? "" : text.slice(event.length + 1);
  return event === undefined || !isRecordId(recordId) ? undefined : { event, recordId };
}

function isDeliveryId(text: string): boolean {
  return text.startsWith("dlv_") && isHostId(text);
}

/** The newest ids that the text may name. */
async function findIds(
  store: Store,
  { accountId, text, before }: TextQuery,
  recordIdOfBody: string | undefined,
  limit: number,
): Promise<string[]> {
  const recordIds = [text, ...(recordIdOfBody === undefined ? [] : [recordIdOfBody])].filter(isRecordId);
  const ofRecords = await Promise.all(
    recordIds.map((recordId) => findIdsOfRecord(store, accountId, { recordId, before, limit })),
  );
  const ids = new Set([...(isDeliveryId(text) ? [text] : []), ...ofRecords.flat()]);
  return [...ids]
    .filter((id) => before === undefined || id < before)
    .toSorted((left, right) => (left < right ? 1 : -1))
    .slice(0, limit);
}

/** The row of the record has the deliveries of its publishes. The others, such as resends, have an entry each. */
async function findIdsOfRecord(
  store: Store,
  accountId: string,
  { recordId, before, limit }: { recordId: string; before: string | undefined; limit: number },
): Promise<string[]> {
  const prefix = keys.deliveriesOfRecord(accountId, recordId);
  const [texts, entries] = await Promise.all([
    store.getMany(recordKinds.map((kind) => keys.record(accountId, kind, recordId))),
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
