import { keys } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { eventNames, isHostId, isRecordId, recordKinds } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { keys as serviceKeys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import type { DeliveryFilters } from "../use-cases.ts";
import { findDeliveries, findNewQueues } from "./find-deliveries.ts";
import { matches } from "./log-sources.ts";

export interface TextQuery {
  readonly store: Store;
  readonly accountId: string;
  /** The id of a delivery, a body or a record. */
  readonly text: string;
  readonly filters: DeliveryFilters;
  /** Deliveries before this id alone. */
  readonly before: string | undefined;
  readonly limit: number;
}

export interface FoundByText {
  /** Newest first, at most `limit`. */
  readonly rows: readonly DeliveryRow[];
  /** The next page begins behind this id. Undefined if there is none. */
  readonly next: string | undefined;
}

/** An event name, and a record id of at most 128 characters of two UTF-16 units each. */
const longestText = 512;
/** One request reads at most so many rows, or one more than a page if that is more. A record may have thousands of deliveries. */
const mostRowsRead = 50;
/** Rows read together. Other requests have their turn between two reads. */
const mostReadTogether = 25;
const leastReadAgain = 10;

/**
 * The deliveries that a text names: one by its id, all of a body by the body's id, all of a record by the record's id.
 *
 * The ids come first, because an index has them in order. Rows are read only until the page is full. If the other filters leave little,
 * the page is short and the next one goes on behind it.
 */
export async function findByText(query: TextQuery): Promise<FoundByText> {
  const { store, accountId, text, filters, limit } = query;
  if (text.length > longestText) return { rows: [], next: undefined };
  const body = parseBodyId(text);
  const isNamed = (row: DeliveryRow): boolean =>
    row.id === text ||
    row.record_id === text ||
    (body !== undefined && row.record_id === body.recordId && row.event === body.event);
  const mostRead = Math.max(mostRowsRead, limit + 1);
  const ids = await findIds(query, body?.recordId, mostRead + 1);
  const candidates = ids.slice(0, mostRead);

  let queues: Promise<readonly Key[]> | undefined;
  const findQueues = (): Promise<readonly Key[]> => (queues ??= findNewQueues(store, accountId));
  const rows: DeliveryRow[] = [];
  let read = 0;
  while (rows.length <= limit && read < candidates.length) {
    const wanted = Math.max(limit + 1 - rows.length, read === 0 ? 0 : leastReadAgain);
    const batch = candidates.slice(read, read + Math.min(wanted, mostReadTogether));
    const found = await findDeliveries(store, accountId, batch, findQueues);
    const named = found.filter((row) => isNamed(row) && matches(row, filters));
    rows.push(...named.toSorted((left, right) => (left.id < right.id ? 1 : -1)));
    read += batch.length;
  }
  const shown = rows.slice(0, limit);
  if (rows.length > limit) return { rows: shown, next: shown.at(-1)?.id };
  return { rows: shown, next: ids.length > read ? candidates[read - 1] : undefined };
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
  { store, accountId, text, before }: TextQuery,
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

/** The record's own row names the deliveries of its publishes. The others, such as resends, have an entry each. */
async function findIdsOfRecord(
  store: Store,
  accountId: string,
  { recordId, before, limit }: { recordId: string; before: string | undefined; limit: number },
): Promise<string[]> {
  const prefix = keys.deliveriesOfRecord(accountId, recordId);
  const [texts, entries] = await Promise.all([
    store.getMany(recordKinds.map((kind) => serviceKeys.record(accountId, kind, recordId))),
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
