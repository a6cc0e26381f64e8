import { blankFields, toTimestamp } from "@hookwright/domain";
import type { Contact, ContactFields, RecordContactField } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";

/** A contact as it is stored. Times are milliseconds. */
export interface ContactRow extends ContactFields {
  readonly id: string;
  readonly project_id: string;
  readonly email: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Not remembered, as other rows are: one that is read is about to change, and notes may be long. */
export function parseContactRow(text: string): ContactRow {
  return JSON.parse(text);
}

/** What the entry by address tells, so that the contact itself need not be read for each of a customer's records. */
export interface ContactEntry {
  readonly id: string;
  /** The fields that a record could fill. */
  readonly blank: readonly RecordContactField[];
}

function toContactEntry(accountId: string, row: ContactRow): Mutation {
  const value = [row.id, ...blankFields(row)].join(" ");
  return { type: "set", key: keys.contactOfEmail(accountId, row.email, row.project_id), value };
}

/** One is parsed with every record of a known customer. */
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

/** The row of a new contact and the entries that find it. The caller checks that the address is still free on the site. */
export function toNewContactMutations(accountId: string, row: ContactRow): Mutation[] {
  const { id, email, project_id: projectId } = row;
  return [
    { type: "set", key: keys.contact(accountId, id), value: JSON.stringify(row) },
    toContactEntry(accountId, row),
    { type: "set", key: [...keys.contactsOfEmail(accountId, email), id], value: "" },
    { type: "set", key: [...keys.contactsOfProject(accountId, projectId), id], value: "" },
  ];
}

/** What a contact's change writes. The caller checks that its row is still what it was: so the entry by address keeps in step. */
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
