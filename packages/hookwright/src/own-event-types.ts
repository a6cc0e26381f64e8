import type {
  DeliveryProject,
  EventInput,
  KindData,
  OwnEvent,
  OwnEvents,
  OwnRecordData,
  PublishInput,
  RecordKind,
  SchemaInput,
  SchemaOutput,
} from "@hookwright/domain";

/** The type of the option `events` of an instance without own events. */
export type NoOwnEvents = Readonly<Record<never, OwnEvent>>;

/** What `publish` accepts for the records of each kind. */
interface KindInput {
  readonly orders: EventInput["order.created"];
  readonly bookings: EventInput["booking.created"];
  readonly rentals: EventInput["rental.reserved"];
  readonly subscribers: EventInput["subscriber.created"];
  readonly enquiries: EventInput["property_enquiry.created"];
  readonly reviews: EventInput["review.submitted"];
}

/** The `data` of an own event as `publish` accepts it: what its schema and its `record` accept. */
export type OwnEventInput<Event extends OwnEvent> = Event extends {
  readonly record: infer Kind extends RecordKind;
}
  ? KindInput[Kind] & SchemaInput<Event["schema"]>
  : SchemaInput<Event["schema"]>;

/** The `data` of an own event as webhooks send it. */
export type OwnEventData<Event extends OwnEvent> = Event extends {
  readonly record: infer Kind extends RecordKind;
}
  ? KindData[Kind]
  : SchemaOutput<Event["schema"]> & Pick<OwnRecordData, "id">;

/** An own event that a host publishes. */
export type OwnPublishInput<Own extends OwnEvents, Names extends keyof Own = keyof Own> = {
  readonly [Name in Names]: Omit<PublishInput, "event" | "data"> & {
    readonly event: Name;
    readonly data: OwnEventInput<Own[Name]>;
  };
}[Names];

/** An own event for the outbox. It has no `as_of`: events of one record are published in the order of their rows. */
export type OwnOutboxEvent<Own extends OwnEvents, Names extends keyof Own = keyof Own> = {
  readonly [Name in Names]: Omit<OwnPublishInput<Own, Name>, "as_of">;
}[Names];

/** An own event with unchecked `data`. */
export interface OwnUncheckedEvent<Name extends string> extends Omit<PublishInput, "event" | "data"> {
  readonly event: Name;
  readonly data: unknown;
}

/** The result that `publish` would have for an own event. */
export type OwnValidEvent<Own extends OwnEvents, Names extends keyof Own = keyof Own> = {
  readonly [Name in Names]: {
    readonly id: string;
    readonly data: OwnEventData<Own[Name]>;
    readonly adjusted: readonly string[];
    readonly input: OwnPublishInput<Own, Name>;
  };
}[Names];

/** The body of a delivery of an own event. */
export type OwnDeliveryBody<Own extends OwnEvents, Names extends keyof Own = keyof Own> = {
  readonly [Name in Names]: {
    readonly id: string;
    readonly event: Name;
    readonly project: DeliveryProject;
    readonly data: OwnEventData<Own[Name]>;
  };
}[Names];
