import { mergeContact } from "@hookwright/domain";
import type { RecordCustomer } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { addContact, changeContact } from "../rows/contact-row.ts";
import type { ContactChange } from "../rows/contact-row.ts";
import type { Person } from "./read-for-publication.ts";

/**
 * The customer of a published record becomes a contact, or fills blank fields of an existing one (contract: People). Part of the
 * publishing commit.
 */
export function contactOfRecord(
  { newId, now }: Pick<ServiceContext, "newId"> & { readonly now: number },
  accountId: string,
  projectId: string,
  customer: RecordCustomer,
  { entryText, contactText }: Person,
): ContactChange | undefined {
  if (entryText === undefined) {
    const fields = mergeContact(undefined, customer, "record");
    return addContact(accountId, { id: newId("ct"), projectId, email: customer.email, fields, now });
  }
  if (contactText === undefined) return undefined;
  return changeContact(accountId, contactText, (before) => mergeContact(before, customer, "record"), now);
}
