import { contactSchema } from "../resources/contact.ts";
import type { Contact } from "../resources/contact.ts";
import { findProblems } from "../validation.ts";
import type { Parsed } from "../validation.ts";
import { keptIdSchema, keptTagsSchema, keptText, keptTimeSchema } from "./kept-fields.ts";

/** A contact in a host's own database. Unset fields may be null or omitted. */
export interface KeptContact {
  /** 1 to 128 characters of `A-Za-z0-9_.:-`. A number is converted to text. */
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

/**
 * Returns the contact in its wire format, or all its problems. Unknown fields are dropped, blank text becomes
 * null, times become whole seconds.
 */
export function findKeptContactProblems(kept: unknown): Parsed<Contact> {
  return findProblems(keptContactSchema, kept, { root: "contact" });
}
