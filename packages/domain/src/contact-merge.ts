import { joinTags } from "./tags.ts";

/** What a merge decides about a contact; ids, e-mail and times are the caller's. Unset text is null. */
export interface ContactFields {
  readonly name: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
  readonly tags: readonly string[];
}

/** A field that is undefined, null or blank changes nothing. */
export interface ContactInput {
  readonly name?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
}

const noContact: ContactFields = { name: null, phone: null, notes: null, tags: [] };

/**
 * A contact after a write or a published record.
 *
 * - `"write"` (`POST /v1/contacts`): `name`, `phone` and `notes` replace what is stored.
 * - `"record"` (an order, booking, rental or enquiry): they fill what is blank and never overwrite what is set.
 *
 * `tags` are joined in both and never removed. Where nothing changes, `existing` itself is given back, so that the
 * caller can tell by `===` that there is nothing to store.
 *
 * @throws HookwrightError `validation_failed` when there would be more than 1,000 tags.
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

/** What a published record says of its customer, beside the address (specification §2.8). */
export type RecordContactField = "name" | "phone";

const recordContactFields: readonly RecordContactField[] = ["name", "phone"];

/** Which of the fields that a record can fill are blank. */
export function blankFields(contact: ContactFields): RecordContactField[] {
  return recordContactFields.filter((field) => isBlank(contact[field]));
}

/** Whether a record brings something for one of the blank fields: where it does not, its merge changes nothing. */
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
