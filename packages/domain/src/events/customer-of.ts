import { isEmailAddress, normaliseEmail } from "../email-address.ts";
import { eventCatalogue, type EventData } from "./event-catalogue.ts";
import type { EventName, RecordKind } from "./event-names.ts";

/** The data of a contact. `email` is normalised and identifies the contact. */
export interface RecordCustomer {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

const contactKinds: ReadonlySet<RecordKind> = new Set(["orders", "bookings", "rentals", "enquiries"]);

/**
 * Returns the customer that a record adds to the site's contacts (specification, section 4, rule 1). Returns
 * `undefined` for subscribers, reviews and customers without an e-mail address.
 */
export function customerOf(event: EventName, data: EventData[EventName]): RecordCustomer | undefined {
  if (!contactKinds.has(eventCatalogue[event].kind)) return undefined;
  if (!("customer" in data) || !("phone" in data.customer)) return undefined;
  const { name, phone } = data.customer;
  const email = normaliseEmail(data.customer.email);
  return isEmailAddress(email) ? { name, email, phone } : undefined;
}
