import { mergeContact, normaliseEmail } from "@hookwright/domain";
import type { ContactFields, KeptContact } from "@hookwright/domain";

/** What is to be stored of a contact. */
export interface MergedContact {
  readonly fields: ContactFields;
  /** False where `fields` are what is stored already. */
  readonly changed: boolean;
}

/**
 * @param stored the contact there is; undefined or null for a new one
 * @throws HookwrightError `validation_failed` where there would be more than 1,000 tags: let it through, nothing is to be stored
 */
export type MergeContact = (stored: StoredContactFields | undefined | null) => MergedContact;

export type StoredContactFields = Pick<KeptContact, "name" | "phone" | "notes" | "tags">;

type Mode = Parameters<typeof mergeContact>[2];

export function mergeOf(input: Parameters<typeof mergeContact>[1], mode: Mode): MergeContact {
  return (stored) => {
    const before = stored === undefined || stored === null ? undefined : toFields(stored);
    const fields = mergeContact(before, input, mode);
    return { fields, changed: fields !== before };
  };
}

/**
 * The rule by which the customer of an order, a booking, a rental or an enquiry is added to a site's contacts: a record fills what is
 * blank, and overwrites nothing (contract §3). For programs that keep contacts themselves.
 *
 * @example
 * await contacts.upsert(accountId, contactKey(projectId, customer.email), mergeCustomer(customer), { signal });
 */
export function mergeCustomer({
  name,
  phone,
}: {
  readonly name?: string | null | undefined;
  readonly phone?: string | null | undefined;
}): MergeContact {
  return mergeOf({ name, phone }, "record");
}

/** Who a contact is: one for each address on each site. The address is trimmed and in lower case. */
export interface ContactKey {
  readonly project_id: string;
  readonly email: string;
}

/** The key of whoever has this address, however it was written. */
export function contactKey(projectId: string, email: string): ContactKey {
  return { project_id: projectId, email: normaliseEmail(email) };
}

function toFields({ name = null, phone = null, notes = null, tags }: StoredContactFields): ContactFields {
  return { name, phone, notes, tags: tags ?? [] };
}
