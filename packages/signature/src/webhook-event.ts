import type { Booking, Order, PropertyEnquiry, Rental, Review, Subscriber } from "./event-data.ts";

/** The seven event names and their types of `data` (specification, section 6.1). */
export interface EventDataByName {
  "order.created": Order;
  "order.paid": Order;
  "booking.created": Booking;
  "rental.reserved": Rental;
  "subscriber.created": Subscriber;
  "property_enquiry.created": PropertyEnquiry;
  "review.submitted": Review;
}

export type KnownEventName = keyof EventDataByName;

/**
 * The name of an event that is newer than these types. At run time it is the sent name.
 *
 * No event name matches this pattern. TypeScript narrows a union only by literals and patterns, so a bare
 * `string` would prevent narrowing.
 */
export type UnknownEventName = `unknown:${string}`;

/** The site of the event. */
export interface EventProject {
  id: string;
  name: string;
  /** IANA name, such as `Europe/Berlin`. */
  timezone: string;
}

/** The body of a delivery (specification, section 6.3). */
export interface DeliveryEnvelope<Name extends string, Data> {
  /** `<event>_<record id>`, the same on every retry and resend: use it to ignore duplicates. */
  id: string;
  event: Name;
  project: EventProject;
  data: Data;
}

/** A delivery that `verify` has accepted: the body, and a mark if it is a test. */
export interface VerifiedDelivery<Name extends string, Data> extends DeliveryEnvelope<Name, Data> {
  /**
   * `true` for a test that was sent from the console (`X-Service-Test: 1`), otherwise absent, as the header is. Answer a
   * test with 2xx and do not act on it: its record does not exist.
   *
   * This header is not signed, unlike the rest of the event. Use it only to ignore tests, and never to trust a delivery.
   */
  test?: true;
}

/** The body of a delivery of one of the seven events. */
export type KnownDeliveryBody = {
  [Name in KnownEventName]: DeliveryEnvelope<Name, EventDataByName[Name]>;
}[KnownEventName];

export type KnownWebhookEvent<Name extends KnownEventName = KnownEventName> = {
  [Each in Name]: VerifiedDelivery<Each, EventDataByName[Each]>;
}[Name];

export type UnknownWebhookEvent = VerifiedDelivery<UnknownEventName, Record<string, unknown>>;

/**
 * What `verify` returns. `verify<{ "order.shipped": Shipment }>(…)` also knows an event that your sender has added;
 * its `data` is not checked at run time. `hookwright types` writes such types. Comparing `event` with a literal narrows `data`. The `default` branch of a `switch` receives the
 * events that are newer than these types.
 *
 * @example
 * switch (event.event) {
 *   case "order.paid": return ship(event.data.number); // an Order
 *   default: return; // an UnknownWebhookEvent: answer 2xx and ignore it
 * }
 */
export type WebhookEvent<Own extends OwnEventData = NoOwnEvents> =
  | KnownWebhookEvent<Exclude<KnownEventName, keyof Own>>
  | OwnWebhookEvent<Own>
  | UnknownWebhookEvent;

/** The types of `data` by the names of events that your sender has added. */
export type OwnEventData = object;

/** No events but those of the specification. */
export type NoOwnEvents = Record<never, never>;

/** An event that your sender has added. */
export type OwnWebhookEvent<Own extends OwnEventData> = {
  [Name in keyof Own & string]: VerifiedDelivery<Name, Own[Name]>;
}[keyof Own & string];
