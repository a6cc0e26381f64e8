import { keys, parseDeliveryRow } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { eventNames, isHostId, isRecordId, recordKinds } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys as serviceKeys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import { findRuns } from "../store/index-runs.ts";

/** Of one record, those that its row does not name: resends, of which somebody made each, and where it was removed all of them. */
export const maximumOfRecord = 1_000;

/** A delivery that was never tried is still in the queue of its webhook, and nowhere else. */
export async function findDelivery(
  store: Store,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  const [found] = await findDeliveries(store, accountId, [deliveryId]);
  return found;
}

/** The deliveries that a text names: one by its id, all of a body by the body's, all of a record by the record's. */
export async function findByText(store: Store, accountId: string, text: string): Promise<DeliveryRow[]> {
  // An event name, and a record id of at most 128 characters of two UTF-16 units each.
  if (text.length > 512) return [];
  const body = eventNames
    .map((event) => ({ event, prefix: `${event}_` }))
    .find(({ prefix }) => text.startsWith(prefix));
  const ids = new Set(isRecordId(text) ? [text, ...(await idsOfRecord(store, accountId, text))] : []);
  const found = await findDeliveries(store, accountId, [...ids]);
  if (body === undefined) return found;
  const ofBody = await findOfBody(store, accountId, body.event, text.slice(body.prefix.length));
  return [...found, ...ofBody.filter(({ id }) => !ids.has(id))];
}

async function findOfBody(
  store: Store,
  accountId: string,
  event: EventName,
  recordId: string,
): Promise<DeliveryRow[]> {
  if (!isRecordId(recordId)) return [];
  const rows = await findDeliveries(store, accountId, await idsOfRecord(store, accountId, recordId));
  return rows.filter((row) => row.event === event);
}

/** Those that publishes made stand in the record's own row, the others have an entry each. */
async function idsOfRecord(store: Store, accountId: string, recordId: string): Promise<string[]> {
  const [texts, entries] = await Promise.all([
    store.getMany(recordKinds.map((kind) => serviceKeys.record(accountId, kind, recordId))),
    store.list({
      prefix: keys.deliveriesOfRecord(accountId, recordId),
      limit: maximumOfRecord,
      reverse: true,
    }),
  ]);
  const published = texts.flatMap((text) => (text === undefined ? [] : parseRecordRow(text).head.deliveries));
  return [...new Set([...published, ...entries.map(({ key }) => String(key.at(-1)))])];
}

export async function findDeliveries(
  store: Store,
  accountId: string,
  ids: readonly string[],
): Promise<DeliveryRow[]> {
  const wanted = ids.filter(isHostId);
  if (wanted.length === 0) return [];
  const readTried = () => store.getMany(wanted.map((id) => keys.delivery(accountId, id)));
  const texts = await readTried();
  const missing = wanted.filter((_, index) => texts[index] === undefined);
  if (missing.length === 0) return texts.flatMap(parseFound);
  const lanes = await findRuns(store, keys.freshDeliveries(accountId), [undefined, undefined]);
  const waiting = await store.getMany(lanes.flatMap((lane) => missing.map((id) => [...lane, id] as const)));
  const found = new Map([...texts, ...waiting].flatMap(parseFound).map((row) => [row.id, row]));
  // Between the two reads the first attempt of one may have ended.
  if (missing.some((id) => !found.has(id)))
    for (const row of (await readTried()).flatMap(parseFound)) found.set(row.id, row);
  return [...found.values()];
}

function parseFound(text: string | undefined): DeliveryRow[] {
  return text === undefined ? [] : [parseDeliveryRow(text)];
}
