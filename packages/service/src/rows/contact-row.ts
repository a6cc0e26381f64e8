import { blankFields, toTimestamp } from "@hookwright/domain";
import type { Contact, ContactFields, RecordContactField } from "@hookwright/domain";
import type { Check, Mutation } from "@hookwright/storage";
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

/** What a write of a contact adds to a commit. */
export interface ContactChange {
  readonly row: ContactRow;
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}

export interface NewContact {
  readonly id: string;
  readonly projectId: string;
  readonly email: string;
  readonly fields: ContactFields;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A new contact and its index entries. The commit checks that the address is free on the site. */
export function addContact(
  accountId: string,
  { id, projectId, email, fields, now }: NewContact,
): ContactChange {
  const row: ContactRow = { id, project_id: projectId, email, ...fields, created_at: now, updated_at: now };
  return {
    row,
    checks: [{ key: keys.contactOfEmail(accountId, email, projectId), value: undefined }],
    mutations: [
      { type: "set", key: keys.contact(accountId, id), value: JSON.stringify(row) },
      toContactEntry(accountId, row),
      { type: "set", key: [...keys.contactsOfEmail(accountId, email), id], value: "" },
      { type: "set", key: [...keys.contactsOfProject(accountId, projectId), id], value: "" },
    ],
  };
}

/** What removes a contact and its index entries. The commit must check the contact. */
export function toContactRemoval(
  accountId: string,
  { id, email, project_id: projectId }: ContactRow,
): Mutation[] {
  return [
    keys.contact(accountId, id),
    keys.contactOfEmail(accountId, email, projectId),
    [...keys.contactsOfEmail(accountId, email), id] as const,
    [...keys.contactsOfProject(accountId, projectId), id] as const,
  ].map((key) => ({ type: "delete", key }));
}

/**
 * A changed contact. The commit checks the old row, so that the entry by address stays consistent.
 *
 * @param merge returns the same object if nothing changes
 * @returns undefined if nothing changes
 */
export function changeContact(
  accountId: string,
  text: string,
  merge: (before: ContactFields) => ContactFields,
  now: number,
): ContactChange | undefined {
  const before = parseContactRow(text);
  const after = merge(before);
  if (after === before) return undefined;
  const row: ContactRow = { ...before, ...after, updated_at: now };
  const key = keys.contact(accountId, row.id);
  const set: Mutation = { type: "set", key, value: JSON.stringify(row) };
  const isFilled = blankFields(row).length < blankFields(before).length;
  return {
    row,
    checks: [{ key, value: text }],
    mutations: isFilled ? [set, toContactEntry(accountId, row)] : [set],
  };
}

export function toContact({ id, project_id, email, name, phone, notes, tags, ...row }: ContactRow): Contact {
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
