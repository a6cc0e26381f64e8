import { contactSchema } from "../resources/contact.ts";
import type { Contact } from "../resources/contact.ts";
import { findProblems } from "../validation.ts";
import type { Parsed } from "../validation.ts";
import { keptIdSchema, keptTagsSchema, keptText, keptTimeSchema } from "./kept-fields.ts";

/** A contact as a host keeps it in a database of its own. What is not set may be null, or left out. */
export interface KeptContact {
  /** 1 to 128 characters of `A-Za-z0-9_.:-`. A number is read as its text. */
  readonly id: string | number | bigint;
  readonly project_id: string | number | bigint;
  readonly email: string;
  readonly name?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly created_at: string | Date;
  readonly updated_at: string | Date;
}

const { name, phone, notes } = contactSchema.shape;

const keptContactSchema = contactSchema.extend({
  id: keptIdSchema,
  project_id: keptIdSchema,
  name: keptText(name.unwrap()),
  phone: keptText(phone.unwrap()),
  notes: keptText(notes.unwrap()),
  tags: keptTagsSchema,
  created_at: keptTimeSchema,
  updated_at: keptTimeSchema,
});

/** The contact in its wire form, or every problem of it: fields that nobody knows dropped, blank text null, times in whole seconds. */
export function findKeptContactProblems(kept: unknown): Parsed<Contact> {
  return findProblems(keptContactSchema, kept, { root: "contact" });
}
