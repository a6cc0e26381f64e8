import { mergeContact, normaliseEmail } from "@hookwright/domain";
import type { ContactFields, KeptContact } from "@hookwright/domain";

/** The result of a merge: the fields to store. */
export interface MergedContact {
  readonly fields: ContactFields;
  /** False if `fields` equal the stored fields. */
  readonly changed: boolean;
}

/**
 * @param stored the stored contact; undefined or null for a new contact
 * @throws HookwrightError `validation_failed` if there would be more than 1,000 tags. Do not catch it, and store nothing
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
 * Merges the customer of an order, a booking, a rental or an enquiry into a contact. It fills blank fields and overwrites nothing
 * (contract: People). For programs that keep their own contacts.
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

/** The key of a contact. There is one contact per address and site. `email` is trimmed and in lower case. */
export interface ContactKey {
  readonly project_id: string;
  readonly email: string;
}

/** Builds the key from an address in any spelling. */
export function contactKey(projectId: string, email: string): ContactKey {
  return { project_id: projectId, email: normaliseEmail(email) };
}

function toFields({ name = null, phone = null, notes = null, tags }: StoredContactFields): ContactFields {
  return { name, phone, notes, tags: tags ?? [] };
}
