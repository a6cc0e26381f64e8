import { findDeliveries, versionOf } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { isEventName, recordKinds } from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { ownFieldsOf, parseRecordRow, readRecordContent } from "../rows/record-row.ts";
import type { RecordRow } from "../rows/record-row.ts";

type NamedRecord = Pick<DeliveryRow, "event" | "record_id" | "record_arrival" | "about">;

/** Where a record is, its row, and what a delivery needs of it. */
export interface FoundRecord extends Pick<RecordRow, "version" | "json"> {
  readonly kind: string;
  readonly key: Key;
  readonly text: string;
  /** JSON text of the fields that the event has in addition to the record. */
  readonly ownFields: string | undefined;
}

/** The kind of the row that a delivery sends. An event that this process does not know may have its own kind. */
export function kindOf(
  events: EventRegistry,
  { event, about }: Pick<DeliveryRow, "event" | "about">,
): string {
  return about === undefined ? (events.kindOf(event) ?? event) : event;
}

/** The kinds that the records of an event may have had, the likeliest first. */
export function possibleKinds(events: EventRegistry, event: string): readonly string[] {
  const kind = kindOf(events, { event });
  return isEventName(event) ? [kind] : [...new Set([kind, event, ...recordKinds])];
}

/**
 * The records of deliveries, in order. `undefined`: it was deleted, or another record has its id now.
 *
 * A worker may not know an event of the host, or knows another kind of it. Then the record is the one of any kind that has the arrival
 * number of the delivery, and was published under the event.
 *
 * @param texts the rows under {@link kindOf}, if they were read already
 */
export async function findRecords(
  store: Store,
  events: EventRegistry,
  accountId: string,
  wanted: readonly NamedRecord[],
  texts?: readonly (string | undefined)[],
): Promise<(FoundRecord | undefined)[]> {
  const first = wanted.map((record) => {
    const kind = kindOf(events, record);
    return { kind, key: keys.record(accountId, kind, record.record_id) };
  });
  const known = texts ?? (await store.getMany(first.map(({ key }) => key)));
  const found = first.map((place, index): FoundRecord | undefined => {
    const text = known[index];
    if (text === undefined) return undefined;
    const { event = "", record_arrival: wantedArrival } = wanted[index] ?? {};
    const { arrival, version, json } = readRecordContent(text);
    if (arrival !== wantedArrival) return undefined;
    // Only events of the host that share the kind of a record have own fields.
    const ownFields =
      isEventName(event) || place.kind === event ? undefined : ownFieldsOf(parseRecordRow(text).head, event);
    return { ...place, text, version, json, ownFields };
  });
  const others = wanted.flatMap((record, index) =>
    found[index] !== undefined || isEventName(record.event)
      ? []
      : possibleKinds(events, record.event)
          .slice(1)
          .map((kind) => ({ index, record, kind, key: keys.record(accountId, kind, record.record_id) })),
  );
  if (others.length === 0) return found;
  const otherTexts = await store.getMany(others.map(({ key }) => key));
  others.forEach(({ index, record, kind, key }, position) => {
    const text = otherTexts[position];
    if (text === undefined) return;
    const { head, version, json } = parseRecordRow(text);
    if (head.arrival === record.record_arrival && head.events.includes(record.event))
      found[index] = { kind, key, text, version, json, ownFields: ownFieldsOf(head, record.event) };
  });
  return found;
}

/** The maximum number of deliveries checked that the record's row does not list, such as resends. The newest are checked. */
const maximumOthers = 1_000;
/** Rows per read. The newest come first, because they are most likely to have sent the data. */
const batchSize = 25;

/**
 * Whether the log needs the data that is about to be replaced. It does if a delivery has sent it, or is pending and may send it now.
 *
 * The result is valid while the record's row is unchanged, because publishes and resends write that row.
 *
 * @param json the new data; undefined if the record is deleted
 */
export async function isVersionReferenced(
  store: Store,
  accountId: string,
  recordId: string,
  before: RecordRow,
  json: string | undefined,
): Promise<boolean> {
  if (json === before.json) return false;
  const { head, version } = before;
  const others = await store.list({
    prefix: keys.deliveriesOfRecord(accountId, recordId),
    limit: maximumOthers,
    reverse: true,
  });
  const ids = [...new Set([...head.deliveries, ...others.map(({ key }) => String(key.at(-1)))])]
    .toSorted()
    .toReversed();
  for (let first = 0; first < ids.length; first += batchSize) {
    const deliveries = await findDeliveries(store, accountId, ids.slice(first, first + batchSize));
    const isReferenced = deliveries.some(
      ({ status, attempts }) =>
        status === "pending" || attempts.some(({ body }) => versionOf(body) === version),
    );
    if (isReferenced) return true;
  }
  return false;
}
