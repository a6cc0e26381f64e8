import type { DeliveryProject, EventInput } from "./event-catalogue.ts";
import type { EventName, RecordKind } from "./event-names.ts";
import type { OwnEvent, OwnEvents } from "./own-events.ts";
import type { OwnRecordData } from "./own-record.ts";
import type { KindData } from "./record-kinds.ts";
import type { SchemaInput, SchemaOutput } from "./standard-schema.ts";

/** The type of an option `events` without own events. */
export type NoOwnEvents = Readonly<Record<never, OwnEvent>>;

/** The names of the events of the specification, or of some of them, and of the host. */
export type KnownEventName<Own extends OwnEvents, Kept extends EventName = EventName> =
  | Kept
  | (keyof Own & string);

/** The `data` of the events of each kind, as it is published. */
interface KindInput {
  readonly orders: EventInput["order.created"];
  readonly bookings: EventInput["booking.created"];
  readonly rentals: EventInput["rental.reserved"];
  readonly subscribers: EventInput["subscriber.created"];
  readonly enquiries: EventInput["property_enquiry.created"];
  readonly reviews: EventInput["review.submitted"];
}

/** The `data` of an own event as it is published: what its schema and its `record` accept. */
export type OwnEventInput<Event extends OwnEvent> = Event extends {
  readonly record: infer Kind extends RecordKind;
}
  ? KindInput[Kind] & SchemaInput<Event["schema"]>
  : SchemaInput<Event["schema"]>;

/** The `data` of an own event as it is delivered: its record, if it has one, and what its schema returns. */
export type OwnEventData<Event extends OwnEvent> = Event extends {
  readonly record: infer Kind extends RecordKind;
}
  ? WithOwnFields<KindData[Kind], SchemaOutput<Event["schema"]>>
  : SchemaOutput<Event["schema"]> & Pick<OwnRecordData, "id">;

/** The record and the named fields of the output that it does not have. */
type WithOwnFields<Data, Output> = {
  readonly [Name in keyof Output as Exclude<Named<Name>, keyof Data>]: Output[Name];
} extends infer Own
  ? keyof Own extends never
    ? Data
    : { [Name in keyof Data | keyof Own]: Name extends keyof Data ? Data[Name] : Own[Name & keyof Own] }
  : never;

/** Excludes index signatures: a loose schema returns any field. */
type Named<Name> = string extends Name ? never : number extends Name ? never : Name;

/** The body of a delivery of an own event. For several events it is a union. */
export type OwnDeliveryBody<Own extends OwnEvents, Names extends keyof Own = keyof Own> = {
  readonly [Name in Names]: {
    readonly id: string;
    readonly event: Name;
    readonly project: DeliveryProject;
    readonly data: OwnEventData<Own[Name]>;
  };
}[Names];
