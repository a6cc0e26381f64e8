import type {
  EventName,
  OwnEventData,
  OwnEventInput,
  OwnEvents,
  PublishInput,
  ValidEvent,
} from "@hookwright/domain";

/** What tells two events of one record apart. */
interface EventId {
  /**
   * The id of the event, 1 to 128 printable characters without white space. The body then has the id `<event>_<id>`, and
   * the same id again is a duplicate. @default the id of the record: the event happens once for it
   */
  readonly id?: string | number | bigint | null | undefined;
}

/** An own event that a host publishes. */
export type OwnPublishInput<Own extends OwnEvents, Names extends keyof Own = keyof Own> = {
  readonly [Name in Names]: Omit<PublishInput, "event" | "data"> &
    EventId & {
      readonly event: Name;
      readonly data: OwnEventInput<Own[Name]>;
    };
}[Names];

/** An own event for the outbox. It has no `as_of`: events of one record are published in the order of their rows. */
export type OwnOutboxEvent<Own extends OwnEvents, Names extends keyof Own = keyof Own> = {
  readonly [Name in Names]: Omit<OwnPublishInput<Own, Name>, "as_of">;
}[Names];

/** An event of the specification or of the host, with unchecked `data`. */
export interface OwnUncheckedEvent<Name extends string>
  extends Omit<PublishInput, "event" | "data">, EventId {
  readonly event: Name;
  readonly data: unknown;
}

/** The result that `publish` would have for an own event. */
export type OwnValidEvent<Own extends OwnEvents, Names extends keyof Own = keyof Own> = {
  readonly [Name in Names]: Omit<ValidEvent, "data" | "input"> & {
    readonly data: OwnEventData<Own[Name]>;
    readonly input: OwnPublishInput<Own, Name>;
  };
}[Names];

/** The results of `validateEvent` by the name of the event. */
export type KnownValidEvents<Own extends OwnEvents> = {
  readonly [Name in EventName]: ValidEvent<Name>;
} & { readonly [Name in keyof Own]: OwnValidEvent<Own, Name> };
