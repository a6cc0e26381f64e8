import { createTextCache } from "@hookwright/delivery";
import { toTimestamp } from "@hookwright/domain";
import type { Contact, ContactFields } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import { keys } from "../store/keys.ts";

/** A contact as it is stored. Times are milliseconds. */
export interface ContactRow extends ContactFields {
  readonly id: string;
  readonly project_id: string;
  readonly email: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export const parseContactRow = createTextCache((text): ContactRow => JSON.parse(text));

/** The row of a new contact and the entries that find it. The caller checks that the address is still free on the site. */
export function toNewContactMutations(accountId: string, row: ContactRow): Mutation[] {
  const { id, email, project_id: projectId } = row;
  return [
    { type: "set", key: keys.contact(accountId, id), value: JSON.stringify(row) },
    { type: "set", key: keys.contactOfEmail(accountId, email, projectId), value: id },
    { type: "set", key: [...keys.contactsOfEmail(accountId, email), id], value: "" },
    { type: "set", key: [...keys.contactsOfProject(accountId, projectId), id], value: "" },
  ];
}

export function toContact(text: string): Contact {
  const row: ContactRow = JSON.parse(text);
  const { id, project_id, email, name, phone, notes, tags } = row;
  return {
    id,
    project_id,
    email,
    name,
    phone,
    notes,
    tags: [...tags],
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
