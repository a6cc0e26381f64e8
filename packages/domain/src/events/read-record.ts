import { toTimestamp } from "../timestamps.ts";
import { validationFailed } from "../validation.ts";
import { eventCatalogue } from "./event-catalogue.ts";
import type { EventData } from "./event-catalogue.ts";
import type { EventName } from "./event-names.ts";
import type { Reading } from "./field.ts";
import { readFields } from "./object-fields.ts";
import { isRecord } from "./plain-value.ts";

/** Bytes of a record as JSON (contract §7). Its fields have no limits of their own. */
const maximumRecordBytes = 256 * 1_024;

export interface ReadRecordOptions {
  /** Milliseconds since 1970: what `created_at` becomes where it is left out. */
  readonly now: number;
  /** IANA name of the site's time zone, for times that name none. @default "UTC" */
  readonly timeZone?: string | undefined;
  /** The field that holds the record: `data` makes `data.items.0.price` of `items.0.price`. @default none */
  readonly within?: string | undefined;
}

/** A record in the form that the API and webhooks answer. */
export interface ReadRecord<Name extends EventName = EventName> {
  readonly data: EventData[Name];
  /** `created_at` in milliseconds since 1970, with the part of a second that its text cuts off. */
  readonly createdAt: number;
  /** Whether the host sent a time that could be read. */
  readonly hasCreatedAt: boolean;
  /** Paths of the fields that were filled or changed, such as `customer.email`: a host can mend its mapping by them. */
  readonly adjusted: readonly string[];
  /** Whether the time zone decided what `created_at` means. */
  readonly isLocalTime: boolean;
}

export type RecordReading<Name extends EventName = EventName> =
  | { readonly ok: true; readonly record: ReadRecord<Name> }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads a record that a host publishes, leniently: the host states what has happened, and refusing the record would lose the event
 * (contract §7). Missing fields are filled, usual forms are converted, unknown fields are dropped.
 *
 * Refused are a missing id, a missing `total` or `amount_due`, an amount that is none, a quantity that is not an integer, an object
 * where text is expected, a number that has lost digits, and more than 256 KiB.
 *
 * @example
 * readRecord("order.paid", { id: 17, total: "9.00" }, { now: Date.now() }); // { ok: true, record: { data: { id: "17", … }, … } }
 */
export function readRecord<Name extends EventName>(
  event: Name,
  data: unknown,
  { now, timeZone = "UTC", within }: ReadRecordOptions,
): RecordReading<Name> {
  if (!isRecord(data)) return { ok: false, problems: [`${within ?? "data"}: must be an object`] };
  const reading: Reading = {
    now,
    timeZone,
    problems: [],
    adjusted: [],
    isLocalTime: false,
    createdAt: now,
    hasCreatedAt: false,
    characters: 0,
  };
  const record = readFields(eventCatalogue[event].fields, data, "", reading);
  const { problems, adjusted, createdAt, hasCreatedAt, isLocalTime, characters } = reading;
  if (problems.length > 0)
    return {
      ok: false,
      problems: within === undefined ? problems : problems.map((each) => `${within}.${each}`),
    };
  if (isTooLong(record, characters))
    return {
      ok: false,
      problems: [`${within ?? "data"}: must be at most ${maximumRecordBytes / 1_024} KiB as JSON`],
    };
  return {
    ok: true,
    record: { data: toData(event, record), createdAt, hasCreatedAt, adjusted, isLocalTime },
  };
}

/** The fields of an event read what its data is: the types of the catalogue say so, one event at a time. */
function toData<Name extends EventName>(_event: Name, record: object): EventData[Name];
function toData(_event: EventName, record: object): object {
  return record;
}

/** A character takes six bytes of JSON at most, as `\u001f`. Only a record that may be too long is measured. */
function isTooLong(record: object, characters: number): boolean {
  if (characters * 6 < maximumRecordBytes / 2) return false;
  return new TextEncoder().encode(JSON.stringify(record)).length > maximumRecordBytes;
}

/**
 * The same for callers with one record.
 *
 * @throws HookwrightError `validation_failed`, naming every field that is refused
 */
export function expectRecord<Name extends EventName>(
  event: Name,
  data: unknown,
  options: ReadRecordOptions,
): ReadRecord<Name> {
  const reading = readRecord(event, data, options);
  if (!reading.ok) throw validationFailed(reading.problems);
  return reading.record;
}

/** What is known of the time at which a record was created. */
export interface CreatedRecord<Data extends { readonly created_at: string }> {
  readonly data: Data;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * A record that is published again, with the time at which it was created. That time stays where the host sends none. It also stays
 * within its second: what a host has from us has whole seconds, and must not move the record in its list.
 *
 * @param before milliseconds, as they were known; undefined for a record that is new
 */
export function keepCreatedAt<Data extends { readonly created_at: string }>(
  before: number | undefined,
  { data, createdAt, hasCreatedAt }: CreatedRecord<Data> & Pick<ReadRecord, "hasCreatedAt">,
): CreatedRecord<Data> {
  if (before === undefined) return { data, createdAt };
  if (!hasCreatedAt) return { data: { ...data, created_at: toTimestamp(before) }, createdAt: before };
  const isSameSecond = Math.floor(before / 1_000) === Math.floor(createdAt / 1_000);
  return { data, createdAt: isSameSecond ? before : createdAt };
}
