import { blankFields, toTimestamp } from "@hookwright/domain";
import type { Contact, ContactFields, RecordContactField } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";

/** A stored contact. Times are milliseconds since the epoch. */
export interface ContactRow extends ContactFields {
  readonly id: string;
  readonly project_id: string;
  readonly email: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Not cached, unlike other rows: a contact that is read is about to change, and its notes may be long. */
export function parseContactRow(text: string): ContactRow {
  return JSON.parse(text);
}

/** The entry by address. It saves a read of the contact for each record of a known customer. */
export interface ContactEntry {
  readonly id: string;
  /** Blank fields that a record can fill. */
  readonly blank: readonly RecordContactField[];
}

function toContactEntry(accountId: string, row: ContactRow): Mutation {
  const value = [row.id, ...blankFields(row)].join(" ");
  return { type: "set", key: keys.contactOfEmail(accountId, row.email, row.project_id), value };
}

/** Avoids allocations, because each record of a known customer calls it. */
export function parseContactEntry(text: string): ContactEntry {
  const end = text.indexOf(" ");
  if (end === -1) return { id: text, blank: noField };
  const isPhoneBlank = text.endsWith(" phone");
  const isNameBlank = text.startsWith(" name", end);
  const blank = isNameBlank ? (isPhoneBlank ? bothFields : nameField) : isPhoneBlank ? phoneField : noField;
  return { id: text.slice(0, end), blank };
}

const noField: readonly RecordContactField[] = [];
const nameField: readonly RecordContactField[] = ["name"];
const phoneField: readonly RecordContactField[] = ["phone"];
const bothFields: readonly RecordContactField[] = ["name", "phone"];

/** Mutations for a new contact and its index entries. The commit must check that the address is free on the site. */
export function toNewContactMutations(accountId: string, row: ContactRow): Mutation[] {
  const { id, email, project_id: projectId } = row;
  return [
    { type: "set", key: keys.contact(accountId, id), value: JSON.stringify(row) },
    toContactEntry(accountId, row),
    { type: "set", key: [...keys.contactsOfEmail(accountId, email), id], value: "" },
    { type: "set", key: [...keys.contactsOfProject(accountId, projectId), id], value: "" },
  ];
}

/** Mutations for a changed contact. The commit must check the old row, so that the entry by address stays consistent. */
export function toChangedContactMutations(
  accountId: string,
  before: ContactRow,
  after: ContactRow,
): Mutation[] {
  const row: Mutation = { type: "set", key: keys.contact(accountId, after.id), value: JSON.stringify(after) };
  const isFilled = blankFields(after).length < blankFields(before).length;
  return isFilled ? [row, toContactEntry(accountId, after)] : [row];
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
