import type { OwnEventData, OwnEventInput, OwnEvents, PublishInput } from "@hookwright/domain";

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
