import { isEmailAddress, normaliseEmail } from "../email-address.ts";
import type { RecordData } from "./read-record.ts";
import { isOfKind } from "./record-kinds.ts";

/** The data of a contact. `email` is normalised and identifies the contact. */
export interface RecordCustomer {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

/**
 * Returns the customer that a record adds to the site's contacts (specification, section 4, rule 1). Returns
 * `undefined` for subscribers, reviews, own kinds and customers without an e-mail address.
 *
 * @param kind the kind of the record
 */
export function customerOf(kind: string, data: RecordData): RecordCustomer | undefined {
  const record = { kind, data };
  if (
    !isOfKind(record, "orders") &&
    !isOfKind(record, "bookings") &&
    !isOfKind(record, "rentals") &&
    !isOfKind(record, "enquiries")
  )
    return undefined;
  const { name, phone } = record.data.customer;
  const email = normaliseEmail(record.data.customer.email);
  return isEmailAddress(email) ? { name, email, phone } : undefined;
}
