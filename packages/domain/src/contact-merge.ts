import { joinTags } from "./tags.ts";

/** The fields that a merge changes. Ids, e-mail and times belong to the caller. Unset text is null. */
export interface ContactFields {
  readonly name: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
  readonly tags: readonly string[];
}

/** An undefined, null or blank field changes nothing. */
export interface ContactInput {
  readonly name?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
}

const noContact: ContactFields = { name: null, phone: null, notes: null, tags: [] };

/**
 * Returns a contact after a write or a published record.
 *
 * - `"write"` (`POST /v1/contacts`): `name`, `phone` and `notes` replace stored values.
 * - `"record"` (an order, booking, rental or enquiry): they fill blank fields and never overwrite set ones.
 *
 * `tags` are added in both modes and never removed. If nothing changes, returns `existing` itself, so the
 * caller can compare with `===`.
 *
 * @throws HookwrightError `validation_failed` if there would be more than 1,000 tags
 */
export function mergeContact(
  existing: ContactFields | undefined,
  input: ContactInput,
  mode: "write" | "record",
): ContactFields {
  const before = existing ?? noContact;
  const pick = mode === "write" ? replace : fill;
  const after: ContactFields = {
    name: pick(before.name, input.name),
    phone: pick(before.phone, input.phone),
    notes: pick(before.notes, input.notes),
    tags: joinTags(before.tags, input.tags),
  };
  const same =
    after.name === before.name &&
    after.phone === before.phone &&
    after.notes === before.notes &&
    after.tags === before.tags;
  return same && existing !== undefined ? existing : after;
}

/** The contact fields of a published record, besides the address. */
export type RecordContactField = "name" | "phone";

const recordContactFields: readonly RecordContactField[] = ["name", "phone"];

/** Returns the blank fields that a record can fill. */
export function blankFields(contact: ContactFields): RecordContactField[] {
  return recordContactFields.filter((field) => isBlank(contact[field]));
}

/** Returns whether a record fills one of the blank fields. Otherwise its merge changes nothing. */
export function fillsAny(blank: readonly RecordContactField[], input: ContactInput): boolean {
  return blank.some((field) => !isBlank(input[field]));
}

function replace(stored: string | null, sent: string | null | undefined): string | null {
  return isBlank(sent) ? stored : sent;
}

function fill(stored: string | null, sent: string | null | undefined): string | null {
  return isBlank(stored) && !isBlank(sent) ? sent : stored;
}

function isBlank(text: string | null | undefined): text is null | undefined {
  return text === null || text === undefined || text.trim() === "";
}
