import { isEmailAddress, normaliseEmail } from "../email-address.ts";
import { eventCatalogue, type EventData } from "./event-catalogue.ts";
import type { EventName, RecordKind } from "./event-names.ts";

/** The person that a contact is made from. `email` is the match key, in its normalised form. */
export interface RecordCustomer {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

const contactKinds: ReadonlySet<RecordKind> = new Set(["orders", "bookings", "rentals", "enquiries"]);

/**
 * The customer that a record adds to the site's contacts (specification, section 4, rule 1). Undefined for subscribers and reviews, which
 * add none, and for a customer without an e-mail address, by which contacts are matched.
 */
export function customerOf(event: EventName, data: EventData[EventName]): RecordCustomer | undefined {
  if (!contactKinds.has(eventCatalogue[event].kind)) return undefined;
  if (!("customer" in data) || !("phone" in data.customer)) return undefined;
  const { name, phone } = data.customer;
  const email = normaliseEmail(data.customer.email);
  return isEmailAddress(email) ? { name, email, phone } : undefined;
}
