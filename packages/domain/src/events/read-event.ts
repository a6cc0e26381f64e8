import { HookwrightError } from "../errors.ts";
import { readHostTime } from "../read-time.ts";
import { isRecordId } from "../ids.ts";
import { isSentEmpty } from "../sent-empty.ts";
import { validationFailed } from "../validation.ts";
import type { EventData, EventInput } from "./event-catalogue.ts";
import { bodyId, isEventName } from "./event-names.ts";
import type { EventName } from "./event-names.ts";
import { specificationEvents } from "./event-registry.ts";
import type { EventRegistry } from "./event-registry.ts";
import { toPlain } from "./plain-value.ts";
import type { TimeInput } from "./time-fields.ts";
import { toDeliveredData } from "./read-record.ts";
import type { ReadRecord, ReadRecordOptions } from "./read-record.ts";
import { unknownEventProblem } from "./unknown-event.ts";

/** An event that a host publishes. */
export type PublishInput<Name extends EventName = EventName> = {
  readonly [Event in Name]: {
    readonly event: Event;
    readonly project_id: string;
    readonly data: EventInput[Event];
    /**
     * The time at which the host read `data`. An older snapshot never replaces a newer one.
     *
     * @default the time at which this event of this record was first published
     */
    readonly as_of?: TimeInput | null | undefined;
  };
}[Name];

/** A parsed event. References are not yet checked. */
export interface ReadEvent {
  readonly event: string;
  /** The kind of its record. */
  readonly kind: string;
  /** The id of the event. Absent: that of the record. */
  readonly eventId?: string | undefined;
  readonly projectId: string;
  /** Milliseconds since 1970. */
  readonly asOf: number | undefined;
  readonly record: ReadRecord;
  /** Whether one of its times was read in the site's time zone. */
  readonly isLocalTime: boolean;
}

/** A parsed event or its problems. The caller may add problems, for example of the site. */
export type EventReading =
  | { readonly ok: true; readonly projectId: string; readonly published: ReadEvent }
  | { readonly ok: false; readonly projectId: string; readonly problems: readonly string[] };

export interface ReadEventOptions extends Omit<ReadRecordOptions, "within"> {
  /** The known events. @default the events of the specification */
  readonly events?: EventRegistry | undefined;
}

/**
 * Parses an event that a host publishes.
 *
 * @throws HookwrightError `validation_failed` with all problems if the site is missing; `unknown_event` if
 *   nothing is missing
 */
export function readEvent(
  input: unknown,
  { events = specificationEvents, now, timeZone = "UTC" }: ReadEventOptions,
): EventReading {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw validationFailed(["body: must be an object"]);
  const {
    event,
    project_id: projectId,
    data,
    as_of: asOf,
    id,
  }: Partial<Record<keyof PublishInput | "id", unknown>> = input;
  const problems: string[] = [];
  if (!isFilledText(event)) problems.push(problemOf("event", event));
  if (!isFilledText(projectId)) problems.push(problemOf("project_id", projectId));
  if (isSentEmpty(data)) problems.push("data: is required");
  const known = isFilledText(event) ? events.find(event) : undefined;
  if (known === undefined && isFilledText(event)) {
    const unknownEvent = `event: ${unknownEventProblem(event, events.names)}`;
    if (problems.length === 0) throw new HookwrightError("unknown_event", unknownEvent);
    problems.unshift(unknownEvent);
  }
  const eventId = readEventId(id, known?.type.event, problems);
  const reading = isSentEmpty(data)
    ? undefined
    : known?.read(data, { now, timeZone, within: "data", eventId });
  if (reading?.ok === false) problems.push(...reading.problems);
  const snapshot = isSentEmpty(asOf)
    ? undefined
    : readHostTime(asOf instanceof Date ? asOf : toPlain(asOf), timeZone);
  if (snapshot === undefined && !isSentEmpty(asOf))
    problems.push("as_of: must be a time, such as 2026-11-20T09:30:00Z");
  if (!isFilledText(projectId)) throw validationFailed(problems);
  if (known === undefined || reading?.ok !== true || problems.length > 0)
    return { ok: false, projectId, problems };
  const { record } = reading;
  return {
    ok: true,
    projectId,
    published: {
      event: known.type.event,
      kind: known.kind,
      // With the id of the record, the body has the same id as without one.
      eventId: eventId === record.data.id ? undefined : eventId,
      projectId,
      asOf: snapshot?.ms,
      record,
      isLocalTime: record.isLocalTime || snapshot?.isLocal === true,
    },
  };
}

/** The events of the specification happen once for a record, so receivers know them by its id. */
function readEventId(id: unknown, event: string | undefined, problems: string[]): string | undefined {
  if (isSentEmpty(id)) return undefined;
  const text = Number.isSafeInteger(id) || typeof id === "bigint" ? String(id) : id;
  if (event !== undefined && isEventName(event))
    problems.push(`id: is only for events of your own. ${event} is known by data.id. Leave it out`);
  else if (typeof text === "string" && isRecordId(text)) return text;
  else problems.push("id: must be text of 1 to 128 printable characters without white space");
  return undefined;
}

function isFilledText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function problemOf(field: string, value: unknown): string {
  return `${field}: ${isSentEmpty(value) ? "is required" : "must be text"}`;
}

/** The result of `publish` for an event. */
export type ValidEvent<Name extends EventName = EventName> = {
  readonly [Event in Name]: {
    /** The body id, `<event>_<record_id>`, or `<event>_<id>` if the event has an id. */
    readonly id: string;
    /** The data in the form that would be delivered. */
    readonly data: EventData[Event];
    /** Paths in `data` of the fields that would be filled or changed, for example `customer.email`. */
    readonly adjusted: readonly string[];
    /** Paths of the fields that were sent and are not part of the event, for example `shipping_address.street`. */
    readonly dropped: readonly string[];
    /** The given event, in the input type of `publish`. */
    readonly input: PublishInput<Event>;
  };
}[Name];

/** An event with unchecked `data`, for example the body of a request. */
export interface UncheckedEvent<Name extends EventName = EventName> {
  readonly event: Name;
  readonly project_id: string;
  readonly data: unknown;
  readonly as_of?: TimeInput | null | undefined;
}

/**
 * Returns the result that `publish` would have for an event, without publishing it.
 *
 * @throws HookwrightError `validation_failed`, `unknown_event`
 * @example
 * const { adjusted, input } = validateEvent(
 *   { event: "order.paid", project_id: "site_1", data: { id: "ord_1", total: "9.00" } },
 *   { now: Date.now() },
 * );
 */
export function validateEvent<Name extends EventName>(
  input: UncheckedEvent<Name>,
  options: ReadEventOptions,
): ValidEvent<Name>;
export function validateEvent(input: unknown, options: ReadEventOptions): ValidEvent;
export function validateEvent(input: unknown, options: ReadEventOptions): unknown {
  const reading = readEvent(input, options);
  if (!reading.ok) throw validationFailed(reading.problems);
  return toValidEvent(input, reading.published);
}

/** Converts a valid event to the result of `validateEvent`. */
export function toValidEvent(input: unknown, read: ReadEvent): ValidEvent;
export function toValidEvent(input: unknown, { event, eventId, record }: ReadEvent): object {
  const { adjusted, dropped } = record;
  return {
    id: bodyId(event, eventId ?? record.data.id),
    data: toDeliveredData(record),
    adjusted,
    dropped,
    input,
  };
}
