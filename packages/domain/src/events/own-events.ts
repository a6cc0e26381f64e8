import { isRecordId } from "../ids.ts";
import { readHostTime } from "../read-time.ts";
import { eventCatalogue } from "./event-catalogue.ts";
import { eventNames, isEventName, isOwnEventName, recordKinds } from "./event-names.ts";
import type { EventName, RecordKind } from "./event-names.ts";
import type { EventType } from "./event-type.ts";
import type { Fields } from "./field.ts";
import { findChanges, findDropped, losesDigits, lostDigits, toJsonValue } from "./json-value.ts";
import type { OwnRecordData } from "./own-record.ts";
import { isRecord } from "./plain-value.ts";
import { isTooLong, readRecordFields, toDeliveredData, tooLong } from "./read-record.ts";
import type { ReadRecord, ReadRecordOptions, RecordData, RecordReading } from "./read-record.ts";
import { isRecordKind } from "./record-kinds.ts";
import { checkSchema, isStandardSchema } from "./standard-schema.ts";
import type { SchemaCheck, StandardSchema } from "./standard-schema.ts";

/** An event that a host adds to the events of the specification. */
export interface OwnEvent {
  /**
   * Checks `data` of `publish`, synchronously. Without `record` the record is what the schema returns, as JSON,
   * and has a text `id`.
   */
  readonly schema: StandardSchema;
  /** Data that the schema accepts. It is shown in `event-types` and sent by tests. */
  readonly sample: unknown;
  /** When it is sent, in one sentence. */
  readonly description: string;
  /**
   * The kind whose records the event is about. `data` is then also read as that kind, for example as an order,
   * and updates the record with this id. A delivery has the record, then the other fields that the schema returns.
   * @default the event has its own kind, named as the event
   */
  readonly record?: RecordKind | undefined;
}

/** Own events by name, such as `order.shipped`. See `isOwnEventName`. */
export type OwnEvents = Readonly<Record<string, OwnEvent>>;

/** Why one event is refused. `event` is undefined if the whole value is. */
export interface OwnEventProblem {
  readonly event: string | undefined;
  readonly message: string;
}

/** How an own event reads its data. */
export interface OwnEventReader {
  readonly kind: string;
  read(data: unknown, options: ReadRecordOptions): RecordReading;
}

/** A publish looks at none of the others, but every list of event types shows them all. */
export const maximumOwnEvents = 200;
const longestDescription = 1_000;

/** Returns every problem of the own events, with the advice what to do. */
export function findOwnEventProblems(events: unknown): OwnEventProblem[] {
  if (!isRecord(events))
    return [{ event: undefined, message: "must be an object with an event for each name" }];
  const named = Object.entries(events);
  if (named.length > maximumOwnEvents)
    return [{ event: undefined, message: `must have at most ${maximumOwnEvents} events` }];
  return named.flatMap(([event, definition]) =>
    findOwnEventProblem(event, definition, Object.keys(events)).map((message) => ({ event, message })),
  );
}

/** Returns the problems of one own event. @param others the names of own events, with or without its own */
export function findOwnEventProblem(event: string, definition: unknown, others: readonly string[]): string[] {
  if (isEventName(event))
    return [
      "is an event of the specification. Its name stays reserved, also while it is switched off. Choose another name",
    ];
  if (!isOwnEventName(event))
    return [
      "must have a name of 2 to 5 parts of A-Z, a-z, 0-9, _ and - with dots between, such as order.shipped, and at most 64 characters",
    ];
  // Searches and patterns do not tell them apart.
  const similar = [...eventNames, ...others].find(
    (name) => name !== event && name.toLowerCase() === event.toLowerCase(),
  );
  if (similar !== undefined) return [`differs from ${similar} only in capitals. Choose another name`];
  const longer = eventNames.find((name) => event.startsWith(`${name}_`));
  if (longer !== undefined)
    return [
      `must not begin with ${longer}_, because ids of ${longer} could then be those of this event. Choose another name`,
    ];
  if (!isRecord(definition)) return ["must be an object { schema, sample, description, record? }"];
  const { schema, sample, description, record } = definition;
  const problems: string[] = [];
  if (!isText(description) || description.length > longestDescription)
    problems.push(`description must say in at most ${longestDescription} characters when the event is sent`);
  const isKnownRecord = record === undefined || (typeof record === "string" && isRecordKind(record));
  if (!isKnownRecord)
    problems.push(`record must be one of ${recordKinds.join(", ")}. Leave it out for a kind of its own`);
  if (!isStandardSchema(schema))
    problems.push(
      "schema must be a Standard Schema, for example of zod 4, valibot or arktype (https://standardschema.dev)",
    );
  else if (isKnownRecord) problems.push(...sampleProblems({ schema, sample, record }, event));
  return problems;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function sampleProblems(
  { schema, sample, record }: { schema: StandardSchema; sample: unknown; record: RecordKind | undefined },
  event: string,
): string[] {
  try {
    const reading = createOwnEventReader(event, { schema, record }).read(sample, {
      now: 0,
      within: "sample",
    });
    if (reading.ok) return [];
    return [`${reading.problems.slice(0, 5).join("; ")}. The sample must be data that publish accepts`];
  } catch (error) {
    return [
      `schema threw an error for the sample: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
}

/** The event that stands for each kind: all events of a kind read the same fields. */
const eventOfKind: ReadonlyMap<string, EventName> = new Map(
  eventNames.toReversed().map((event) => [eventCatalogue[event].kind, event]),
);

/** Creates the function that reads the data of an own event as `publish` gets it. */
export function createOwnEventReader(
  event: string,
  { schema, record }: Pick<OwnEvent, "schema" | "record">,
): OwnEventReader {
  const shared = record === undefined ? undefined : eventOfKind.get(record);
  if (record === undefined || shared === undefined)
    return { kind: event, read: (data, options) => readOwnRecord(schema, data, options) };
  const { fields } = eventCatalogue[shared];
  return {
    kind: record,
    read(data, options) {
      const { within = "data" } = options;
      if (!isRecord(data)) return { ok: false, problems: [`${within}: must be an object`] };
      // The schema checks what was published. The record is read like every record of its kind, because the
      // value that a schema returns may lack fields that the schema does not name.
      const check = checkData(schema, data);
      const reading = readRecordFields<RecordData>(fields, data, options);
      const own = check.ok
        ? readOwnFields(fields, data, check.value, within)
        : { problems: toProblems(within, check.problems) };
      if ("problems" in own || !reading.ok) {
        const problems = "problems" in own ? own.problems : [];
        return { ok: false, problems: reading.ok ? problems : [...problems, ...reading.problems] };
      }
      return addOwnFields(fields, reading.record, own, within);
    },
  };
}

/** The fields of an event that its record does not have. */
interface OwnFields {
  /** As the schema returns them, as JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly adjusted: readonly string[];
  readonly dropped: readonly string[];
}

function readOwnFields(
  fields: Fields,
  data: object,
  checked: unknown,
  within: string,
): OwnFields | { readonly problems: readonly string[] } {
  const problems: string[] = [];
  const own = toJsonValue(fieldsBeside(fields, checked), within, problems);
  if (problems.length > 0 || !isRecord(own)) return { problems };
  const sent = toJsonValue(fieldsBeside(fields, data), within, []);
  const adjusted: string[] = [];
  const dropped: string[] = [];
  findChanges(sent, own, "", adjusted);
  findDropped(sent, own, "", dropped);
  return { fields: own, adjusted, dropped };
}

/** A field of the record wins (contract: Own events). */
function fieldsBeside(fields: Fields, value: unknown): object {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(fields, name)));
}

function addOwnFields(fields: Fields, record: ReadRecord, own: OwnFields, within: string): RecordReading {
  // The record knows only its own fields.
  const isOfRecord = (path: string): boolean => Object.hasOwn(fields, path.split(".", 1)[0] ?? "");
  const read: ReadRecord = {
    ...record,
    adjusted: [...record.adjusted, ...own.adjusted],
    dropped: [...record.dropped.filter(isOfRecord), ...own.dropped],
    ownFields: Object.keys(own.fields).length === 0 ? undefined : own.fields,
  };
  return isTooLong(JSON.stringify(toDeliveredData(read)))
    ? { ok: false, problems: [`${within}: ${tooLong}`] }
    : { ok: true, record: read };
}

/** Like `checkSchema`, but an id that is a number is read as its text (contract: Requests). */
function checkData(schema: StandardSchema, data: Readonly<Record<string, unknown>>): SchemaCheck {
  const check = checkSchema(schema, data);
  if (check.ok) return { ok: true, value: withTextId(check.value) };
  if (isNumber(data["id"]) && check.problems.some(({ path }) => path === "id"))
    return checkData(schema, { ...data, id: String(data["id"]) });
  const problems = check.problems.map((problem) => {
    const value = valueAt(data, problem.path);
    return typeof value === "bigint" && losesDigits(value)
      ? { ...problem, reason: lostDigits(value) }
      : problem;
  });
  return { ok: false, problems };
}

function withTextId(value: unknown): unknown {
  return isRecord(value) && isNumber(value["id"]) ? { ...value, id: String(value["id"]) } : value;
}

function isNumber(id: unknown): boolean {
  return Number.isSafeInteger(id) || typeof id === "bigint";
}

function valueAt(data: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (isObject(value) ? Reflect.get(value, name) : undefined), data);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function toProblems(
  within: string,
  problems: readonly { readonly path: string; readonly reason: string }[],
): string[] {
  return problems.map(({ path, reason }) => `${path === "" ? within : `${within}.${path}`}: ${reason}`);
}

/** Reads a record of an own kind: what the schema returns, as JSON. */
function readOwnRecord(
  schema: StandardSchema,
  data: unknown,
  { now, timeZone = "UTC", within = "data" }: ReadRecordOptions,
): RecordReading<OwnRecordData> {
  if (!isRecord(data)) return { ok: false, problems: [`${within}: must be an object`] };
  const check = checkData(schema, data);
  if (!check.ok) return { ok: false, problems: toProblems(within, check.problems) };
  const problems: string[] = [];
  const value = toJsonValue(check.value, within, problems);
  if (problems.length > 0) return { ok: false, problems };
  if (!isRecord(value)) return { ok: false, problems: [`${within}: its schema must return an object`] };
  const { id, ...fields } = value;
  if (typeof id !== "string" || !isRecordId(id)) {
    const problem =
      id === undefined
        ? "is required, because the record is stored under it. If you sent it, the schema must return it"
        : "must be text of 1 to 128 printable characters without white space, because the record is stored under it";
    return { ok: false, problems: [`${within}.id: ${problem}`] };
  }
  const wholeNumber = Object.keys(fields).find((name) => /^(?:0|[1-9]\d*)$/u.test(name));
  if (wholeNumber !== undefined) {
    const problem =
      "is a field whose name is a whole number, which JavaScript sorts before the id. Rename it";
    return { ok: false, problems: [`${within}.${wholeNumber}: ${problem}`] };
  }
  // The id comes first, as in every record.
  const record: OwnRecordData = { id, ...fields };
  if (isTooLong(JSON.stringify(record))) return { ok: false, problems: [`${within}: ${tooLong}`] };
  const createdAt = readHostTime(record["created_at"], timeZone);
  const adjusted: string[] = [];
  const dropped: string[] = [];
  // What JSON cannot express was refused already, or the schema has converted it.
  const sent = toJsonValue(data, within, []);
  findChanges(sent, record, "", adjusted);
  findDropped(sent, record, "", dropped);
  return {
    ok: true,
    record: {
      data: record,
      createdAt: createdAt?.ms ?? now,
      hasCreatedAt: createdAt !== undefined,
      adjusted,
      dropped,
      isLocalTime: createdAt?.isLocal ?? false,
    },
  };
}

/** The name that people read: `order.shipped` is `Order shipped`. */
export function displayNameOf(event: string): EventType["name"] {
  const words = event.replaceAll(/[._-]+/gu, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
