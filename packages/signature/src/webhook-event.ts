import type { Booking, Order, PropertyEnquiry, Rental, Review, Subscriber } from "./event-data.ts";

/** The seven event names and the shape of `data` under each (specification, section 6.1). */
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
 * The name of an event that is newer than these types; at run time it is the name as it was sent.
 *
 * The pattern is one that no name of the service has. TypeScript narrows a union by literals and
 * patterns alone: with a bare `string` here, `event.event === "order.paid"` would narrow nothing.
 */
export type UnknownEventName = `unknown:${string}`;

/** The site on which the event happened. */
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

export type KnownWebhookEvent = {
  [Name in KnownEventName]: DeliveryEnvelope<Name, EventDataByName[Name]>;
}[KnownEventName];

export type UnknownWebhookEvent = DeliveryEnvelope<UnknownEventName, Record<string, unknown>>;

/**
 * What `verify` gives. Comparing `event` with a literal narrows `data`; the `default` branch of a
 * `switch` holds the events that are newer than these types.
 *
 * @example
 * switch (event.event) {
 *   case "order.paid": return ship(event.data.number); // an Order
 *   default: return; // an UnknownWebhookEvent: answer 2xx and ignore it
 * }
 */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;
