/** The seven events a webhook can subscribe to (specification, section 6.1), in its order. */
export const eventNames = [
  "order.created",
  "order.paid",
  "booking.created",
  "rental.reserved",
  "subscriber.created",
  "property_enquiry.created",
  "review.submitted",
] as const;
export type EventName = (typeof eventNames)[number];

/**
 * The type of the name of any other event, for example of an event that the host added. At run time it is that
 * name. No name matches the pattern, because TypeScript narrows a union only by literals and patterns.
 */
export type OtherEventName = `unknown:${string}`;

/** The events of the specification that an instance has: all, none, or those that are named. */
export type BuiltInEvents = boolean | readonly EventName[];

/** The names of the events that the option `builtInEvents` keeps. */
export type KeptEventName<BuiltIn extends BuiltInEvents> = BuiltIn extends readonly (infer Name extends
  EventName)[]
  ? Name
  : BuiltIn extends false
    ? never
    : EventName;

const known: ReadonlySet<string> = new Set(eventNames);

export function isEventName(text: string): text is EventName {
  return known.has(text);
}

/** Their names, in the order of the specification. */
export function namesOfBuiltIn(builtIn: BuiltInEvents): readonly EventName[] {
  if (typeof builtIn === "boolean") return builtIn ? eventNames : [];
  return eventNames.filter((name) => builtIn.includes(name));
}

const ownNameForm = /^(?!.{65})[\w-]+(?:\.[\w-]+){1,4}$/u;

/**
 * Returns whether a host may give an event this name: 2 to 5 parts of `A-Za-z0-9_-` with dots between, at most 64
 * characters. Stores may have longer names of earlier versions.
 */
export function isOwnEventName(text: string): boolean {
  return ownNameForm.test(text);
}

/** Kinds of business records. The two order events share one: record ids are unique per account and kind. */
export const recordKinds = ["orders", "bookings", "rentals", "subscribers", "enquiries", "reviews"] as const;
export type RecordKind = (typeof recordKinds)[number];

/**
 * Returns the `id` in the body of every delivery of a record, or of an event that was published with an id. It is
 * the same for retries and resends, so receivers can ignore duplicates.
 *
 * @example bodyId("order.paid", "ord_1001") // "order.paid_ord_1001"
 */
export function bodyId(event: string, recordId: string): string {
  return `${event}_${recordId}`;
}
