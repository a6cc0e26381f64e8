import { toTimestamp } from "../timestamps.ts";
import { validationFailed } from "../validation.ts";
import { eventCatalogue } from "./event-catalogue.ts";
import type { EventData } from "./event-catalogue.ts";
import type { EventName } from "./event-names.ts";
import type { Fields, Reading } from "./field.ts";
import { readFields } from "./object-fields.ts";
import type { OwnRecordData } from "./own-record.ts";
import { isRecord } from "./plain-value.ts";

/** The largest record in bytes of JSON (contract: Records). Fields have no limits of their own. */
const maximumRecordBytes = 256 * 1_024;

export interface ReadRecordOptions {
  /** Milliseconds since 1970. The default of `created_at`. */
  readonly now: number;
  /** IANA name of the site's time zone, for times without a zone. @default "UTC" */
  readonly timeZone?: string | undefined;
  /**
   * The field that contains the record, as a prefix of paths: with `data`, `items.0.price` becomes
   * `data.items.0.price`. @default none
   */
  readonly within?: string | undefined;
  /** The id of the event, if it is not that of the record. @default that of the record */
  readonly eventId?: string | undefined;
}

/** The data of a record: of the specification, or of an event of the host with its own kind. */
export type RecordData = EventData[EventName] | OwnRecordData;

/** A record as the API and webhooks return it. */
export interface ReadRecord<Data extends { readonly id: string } = RecordData> {
  readonly data: Data;
  /** `created_at` in milliseconds since 1970, more precise than its text. */
  readonly createdAt: number;
  /** Whether the host sent a valid time. */
  readonly hasCreatedAt: boolean;
  /**
   * Paths of the fields that were filled or changed, for example `customer.email`. A host can use them to fix
   * its mapping.
   */
  readonly adjusted: readonly string[];
  /** Paths of the fields that were sent and are not part of the event, for example `shipping_address.street`. */
  readonly dropped: readonly string[];
  /** The fields that an event of the host with a `record` has in addition to that record. */
  readonly ownFields?: Readonly<Record<string, unknown>> | undefined;
  /** Whether `created_at` was read in the site's time zone. */
  readonly isLocalTime: boolean;
}

export type RecordReading<Data extends { readonly id: string } = RecordData> =
  | { readonly ok: true; readonly record: ReadRecord<Data> }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads a record that a host publishes. It is lenient, because rejecting the record would lose the event
 * (contract: Records). Missing fields are filled, common formats are converted, unknown fields are dropped and named.
 *
 * It rejects a missing id, a missing `total` or `amount_due`, an invalid amount, a quantity that is not an
 * integer, an object in place of text, a number that has lost digits, and more than 256 KiB.
 *
 * @example
 * readRecord("order.paid", { id: 17, total: "9.00" }, { now: Date.now() }); // { ok: true, record: { data: { id: "17", … }, … } }
 */
export function readRecord<Name extends EventName>(
  event: Name,
  data: unknown,
  options: ReadRecordOptions,
): RecordReading<EventData[Name]>;
export function readRecord(event: EventName, data: unknown, options: ReadRecordOptions): RecordReading {
  return readRecordFields<EventData[EventName]>(eventCatalogue[event].fields, data, options);
}

/**
 * Reads a record by the table of its fields. The caller names the type of the record, because TypeScript cannot
 * infer it from the table.
 */
export function readRecordFields<Data extends { readonly id: string }>(
  fields: Fields,
  data: unknown,
  options: ReadRecordOptions,
): RecordReading<Data>;
export function readRecordFields(
  fields: Fields,
  data: unknown,
  { now, timeZone = "UTC", within }: ReadRecordOptions,
): RecordReading<{ readonly id: string }> {
  if (!isRecord(data)) return { ok: false, problems: [`${within ?? "data"}: must be an object`] };
  const reading: Reading = {
    now,
    timeZone,
    problems: [],
    adjusted: [],
    dropped: [],
    isLocalTime: false,
    createdAt: now,
    hasCreatedAt: false,
    characters: 0,
  };
  const record = readFields(fields, data, "", reading);
  const { problems, adjusted, dropped, createdAt, hasCreatedAt, isLocalTime, characters } = reading;
  if (problems.length > 0)
    return {
      ok: false,
      problems: within === undefined ? problems : problems.map((each) => `${within}.${each}`),
    };
  // A character takes at most six bytes of JSON (`\u001f`), so only long records are measured.
  const mayBeTooLong = characters * 6 >= maximumRecordBytes / 2;
  if (mayBeTooLong && isTooLong(JSON.stringify(record)))
    return { ok: false, problems: [`${within ?? "data"}: ${tooLong}`] };
  return {
    ok: true,
    record: { data: toData(record), createdAt, hasCreatedAt, adjusted, dropped, isLocalTime },
  };
}

/** Every table of fields has an id. */
function toData(record: object): { readonly id: string };
function toData(record: object): object {
  return record;
}

/** The data that a delivery of the event contains: the record, then the fields of an event of the host. */
export function toDeliveredData({ data, ownFields }: Pick<ReadRecord, "data" | "ownFields">): RecordData {
  return ownFields === undefined ? data : { ...data, ...ownFields };
}

/** Whether the JSON text of a record has more than 256 KiB. */
export function isTooLong(json: string): boolean {
  return new TextEncoder().encode(json).length > maximumRecordBytes;
}

export const tooLong = `must be at most ${maximumRecordBytes / 1_024} KiB as JSON`;

/**
 * Like `readRecord`, but throws.
 *
 * @throws HookwrightError `validation_failed` with all invalid fields
 */
export function expectRecord<Name extends EventName>(
  event: Name,
  data: unknown,
  options: ReadRecordOptions,
): ReadRecord<EventData[Name]> {
  const reading = readRecord(event, data, options);
  if (!reading.ok) throw validationFailed(reading.problems);
  return reading.record;
}

/** A record and its exact creation time. */
export interface CreatedRecord<Data extends { readonly id: string } = RecordData> {
  readonly data: Data;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * Returns a republished record with its creation time. The known time stays if the host sends none, or if
 * both are in the same second: our responses have whole seconds, and a time from them must not reorder lists.
 *
 * @param before the known time in milliseconds, or `undefined` for a new record
 */
export function keepCreatedAt<Data extends { readonly id: string }>(
  before: number | undefined,
  { data, createdAt, hasCreatedAt }: CreatedRecord<Data> & Pick<ReadRecord, "hasCreatedAt">,
): CreatedRecord<Data> {
  if (before === undefined) return { data, createdAt };
  if (!hasCreatedAt) {
    // Only fields of the specification are filled. A record of an own kind is stored as its schema returns it.
    const isFilled = "created_at" in data && data.created_at === toTimestamp(createdAt);
    return {
      data: isFilled ? { ...data, created_at: toTimestamp(before) } : data,
      createdAt: before,
    };
  }
  const isSameSecond = Math.floor(before / 1_000) === Math.floor(createdAt / 1_000);
  return { data, createdAt: isSameSecond ? before : createdAt };
}
