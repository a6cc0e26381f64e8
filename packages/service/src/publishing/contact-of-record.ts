import { mergeContact } from "@hookwright/domain";
import type { RecordCustomer } from "@hookwright/domain";
import type { Check, Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { parseContactRow, toChangedContactMutations, toNewContactMutations } from "../rows/contact-row.ts";
import type { ContactRow } from "../rows/contact-row.ts";
import { keys } from "../rows/keys.ts";
import type { Person } from "./read-for-publication.ts";

export interface ContactChange {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}

const noChange: ContactChange = { checks: [], mutations: [] };

/** The customer of a published record becomes a contact, or fills blank fields of an existing one (contract: People). Part of the publishing commit. */
export function contactOfRecord(
  { newId, now }: Pick<ServiceContext, "newId"> & { readonly now: number },
  accountId: string,
  projectId: string,
  customer: RecordCustomer,
  { key: emailKey, entryText, contactText }: Person,
): ContactChange {
  if (entryText !== undefined) {
    if (contactText === undefined) return noChange;
    const before = parseContactRow(contactText);
    const after = mergeContact(before, customer, "record");
    if (after === before) return noChange;
    const key = keys.contact(accountId, before.id);
    return {
      checks: [{ key, value: contactText }],
      mutations: toChangedContactMutations(accountId, before, { ...before, ...after, updated_at: now }),
    };
  }
  const row: ContactRow = {
    id: newId("ct"),
    project_id: projectId,
    email: customer.email,
    ...mergeContact(undefined, customer, "record"),
    created_at: now,
    updated_at: now,
  };
  return {
    checks: [{ key: emailKey, value: undefined }],
    mutations: toNewContactMutations(accountId, row),
  };
}
