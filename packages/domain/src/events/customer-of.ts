import { normaliseEmail } from "../email-address.ts";
import { eventCatalogue, type EventData } from "./event-catalogue.ts";
import type { EventName, RecordKind } from "./event-names.ts";

/** Whom a contact is made from. `email` is the match key, in its normalised form. */
export interface RecordCustomer {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

const contactKinds: ReadonlySet<RecordKind> = new Set(["orders", "bookings", "rentals", "enquiries"]);

/**
 * The customer that a rendered record adds to the site's contacts; undefined for subscribers and reviews, which add
 * none (specification, section 4, rule 1).
 */
export function customerOf(event: EventName, data: EventData[EventName]): RecordCustomer | undefined {
  if (!contactKinds.has(eventCatalogue[event].kind)) return undefined;
  if (!("customer" in data) || !("phone" in data.customer)) return undefined;
  const { name, email, phone } = data.customer;
  return { name, email: normaliseEmail(email), phone };
}
