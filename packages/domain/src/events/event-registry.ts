import { z } from "zod";
import { toOwnEvent } from "./declared-event.ts";
import type { DeclaredEvent } from "./declared-event.ts";
import type { EventType } from "./event-type.ts";
import { eventCatalogue, sampleDeliveryBody, sampleProject } from "./event-catalogue.ts";
import type { OtherDeliveryBody } from "./event-catalogue.ts";
import { bodyId, eventNames, isEventName, namesOfBuiltIn, recordKinds } from "./event-names.ts";
import type { BuiltInEvents, EventName } from "./event-names.ts";
import {
  createOwnEventReader,
  displayNameOf,
  findOwnEventProblem,
  findOwnEventProblems,
  maximumOwnEvents,
} from "./own-events.ts";
import type { OwnEvent, OwnEventProblem, OwnEvents } from "./own-events.ts";
import { isRecord } from "./plain-value.ts";
import { toSchemaOfOwnKind, toSchemaWithOwnFields } from "./own-kind-schema.ts";
import type { JsonSchema } from "./describe-fields.ts";
import { readRecord, toDeliveredData } from "./read-record.ts";
import type { ReadRecordOptions, RecordReading } from "./read-record.ts";

/** An event that webhooks of an instance can subscribe to. */
export interface RegisteredEvent {
  readonly type: EventType;
  /** Data that a host can publish. */
  readonly sample: object;
  /** The kind of its records: of the specification, or the name of an event with its own kind. */
  readonly kind: string;
  /** Reads the data that a host publishes. */
  read(data: unknown, options: ReadRecordOptions): RecordReading;
  /** The JSON Schema (2020-12) of the data that a webhook delivers. */
  toDataSchema(): JsonSchema;
}

/**
 * The events of one instance: those of the specification, unless they are switched off, and those of the host. Nothing
 * else decides whether an event is known. Rows may have other names, because a host may remove an event. Each field may
 * change while the instance runs, because a host may declare events.
 */
export interface EventRegistry {
  /** In the order of the specification, then of the host. */
  readonly names: readonly string[];
  /** The answer of `GET /v1/event-types`. */
  readonly types: readonly EventType[];
  /** Every kind of record. */
  readonly kinds: readonly string[];
  find(event: string): RegisteredEvent | undefined;
  /** The kind of the records of an event, also while an event of the specification is switched off. `undefined`: it may be any kind. */
  kindOf(event: string): string | undefined;
}

/** A registry whose declared events can be replaced. */
export interface ChangeableRegistry extends EventRegistry {
  /**
   * Replaces the declared events. Those with a problem are left out, such as one that the program defines, too.
   *
   * @returns their problems
   */
  declare(events: ReadonlyMap<string, DeclaredEvent>): readonly OwnEventProblem[];
  /** The problems that {@link declare} would return, without a change. */
  findProblems(events: ReadonlyMap<string, DeclaredEvent>): readonly OwnEventProblem[];
}

export type EventRegistryCreation =
  | { readonly ok: true; readonly registry: ChangeableRegistry }
  | { readonly ok: false; readonly problems: readonly OwnEventProblem[] };

/**
 * Creates the registry of an instance, or returns every problem of its own events.
 *
 * @param builtIn the events of the specification that it has. The names of the others stay reserved. @default all
 * @example
 * createEventRegistry({ "order.shipped": { schema, sample, description: "An order is shipped.", record: "orders" } });
 */
export function createEventRegistry(
  own: OwnEvents = {},
  builtIn: BuiltInEvents = true,
): EventRegistryCreation {
  const problems = findOwnEventProblems(own);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, registry: toChangeable(own, namesOfBuiltIn(builtIn)) };
}

function toChangeable(own: OwnEvents, builtIn: readonly EventName[]): ChangeableRegistry {
  let current = toRegistry(registerAll(builtIn, own));

  function read(declared: ReadonlyMap<string, DeclaredEvent>) {
    const added: Record<string, OwnEvent> = {};
    const problems: OwnEventProblem[] = [];
    for (const [event, definition] of declared) {
      const converted = toOwnEvent(definition);
      const found = !converted.ok
        ? converted.problems
        : Object.hasOwn(own, event)
          ? ["is defined by the program, too, whose definition is used. Choose another name"]
          : Object.keys(own).length + Object.keys(added).length >= maximumOwnEvents
            ? [`is too much: there may be at most ${maximumOwnEvents} events of your own`]
            : findOwnEventProblem(event, converted.event, [...Object.keys(own), ...Object.keys(added)]);
      problems.push(...found.map((message) => ({ event, message })));
      if (converted.ok && found.length === 0) added[event] = converted.event;
    }
    return { added, problems };
  }

  return {
    get names() {
      return current.names;
    },
    get types() {
      return current.types;
    },
    get kinds() {
      return current.kinds;
    },
    find: (event) => current.find(event),
    kindOf: (event) => current.kindOf(event),
    declare(declared) {
      const { added, problems } = read(declared);
      current = toRegistry(registerAll(builtIn, { ...own, ...added }));
      return problems;
    },
    findProblems: (declared) => read(declared).problems,
  };
}

/** The definitions are valid, see `findOwnEventProblems`. */
function registerAll(builtIn: readonly EventName[], own: OwnEvents): ReadonlyMap<string, RegisteredEvent> {
  const events = new Map<string, RegisteredEvent>(builtIn.map((event) => [event, fromCatalogue(event)]));
  for (const [event, definition] of Object.entries(own)) events.set(event, fromHost(event, definition));
  const names = [...events.keys()];
  for (const event of names) {
    const rivals = names.filter((name) => name.startsWith(`${event}_`));
    const registered = events.get(event);
    if (rivals.length > 0 && registered !== undefined)
      events.set(event, withUniqueBodyIds(event, registered, rivals));
  }
  return events;
}

function toRegistry(events: ReadonlyMap<string, RegisteredEvent>): EventRegistry {
  return {
    names: [...events.keys()],
    types: [...events.values()].map(({ type }) => type),
    kinds: [...new Set([...recordKinds, ...Array.from(events.values(), ({ kind }) => kind)])],
    find: (event) => events.get(event),
    kindOf: (event) => (isEventName(event) ? eventCatalogue[event].kind : events.get(event)?.kind),
  };
}

/** The registry of an instance without own events. */
export const specificationEvents: EventRegistry = toRegistry(registerAll(eventNames, {}));

/**
 * Refuses a record whose body id would also be one of another event: the record `late_1` of `order.paid`, if there
 * is an event `order.paid_late`. Receivers ignore the second delivery with an id.
 */
function withUniqueBodyIds(
  event: string,
  registered: RegisteredEvent,
  rivals: readonly string[],
): RegisteredEvent {
  const beginnings = rivals.map((rival) => `${rival.slice(event.length + 1)}_`);
  return {
    ...registered,
    read(data, options) {
      const reading = registered.read(data, options);
      if (!reading.ok) return reading;
      const { eventId, within = "data" } = options;
      const id = eventId ?? reading.record.data.id;
      const beginning = beginnings.find((text) => id.startsWith(text));
      if (beginning === undefined) return reading;
      const rival = `${event}_${beginning.slice(0, -1)}`;
      const problem = `must not begin with ${beginning}, because the event ${rival} has body ids of this form`;
      return { ok: false, problems: [`${eventId === undefined ? `${within}.id` : "id"}: ${problem}`] };
    },
  };
}

function fromCatalogue(event: EventName): RegisteredEvent {
  const { name, description, kind, dataSchema, sampleData } = eventCatalogue[event];
  return {
    type: { event, name, description, sample: sampleDeliveryBody(event) },
    sample: sampleData,
    kind,
    read: (data, options) => readRecord(event, data, options),
    toDataSchema() {
      const { $schema: _, ...schema } = z.toJSONSchema(dataSchema, { io: "output", unrepresentable: "any" });
      return schema;
    },
  };
}

/** The definition is valid, see `findOwnEventProblems`. */
function fromHost(event: string, { schema, sample, description, record }: OwnEvent): RegisteredEvent {
  const { kind, read } = createOwnEventReader(event, { schema, record });
  const reading = read(sample, { now: sampleTime });
  if (!reading.ok) throw new Error(`the sample of ${event} is not valid`);
  const data = toDeliveredData(reading.record);
  const shared = eventNames.find((name) => eventCatalogue[name].kind === kind);
  return {
    type: {
      event,
      name: displayNameOf(event),
      description,
      sample: toOtherBody(event, data),
    },
    sample: isRecord(sample) ? sample : data,
    kind,
    read,
    toDataSchema: () =>
      withIdentifier(
        event,
        shared === undefined
          ? toSchemaOfOwnKind(schema, { description, example: data })
          : toSchemaWithOwnFields(schema, {
              record: fromCatalogue(shared).toDataSchema(),
              sample: reading.record.ownFields ?? {},
            }),
      ),
  };
}

/** In a larger document, local references need an identifier of the schema to begin at. */
function withIdentifier(event: string, given: JsonSchema): JsonSchema {
  const { $id: _, ...schema } = given;
  const hasReferences = JSON.stringify(schema).includes('"$ref"');
  return hasReferences ? { $id: `urn:hookwright:event:${event}`, ...schema } : schema;
}

const sampleTime = Date.UTC(2026, 10, 20, 9, 30);

function toOtherBody(event: string, data: object & { readonly id: string }): OtherDeliveryBody;
function toOtherBody(event: string, data: { readonly id: string }): object {
  return { id: bodyId(event, data.id), event, project: sampleProject, data };
}
