import { z } from "zod";

const maximumLength = 254;
// Refused on both sides: white space and control characters (header injection in mails), and what only quoted
// addresses may hold. Letters beyond ASCII are allowed (RFC 6531). One pass over each part, no backtracking.
const local = String.raw`[^\s\p{C}"(),:;<>@[\\\]]{1,64}`;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;
const address = new RegExp(`^${local}@(?:${label}\\.)+${label}$`, "u");

/** The form in which addresses are compared and answered: trimmed, lower case. Dots and plus signs stay. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether a normalised text is an e-mail address with a dotted domain, at most 254 characters long. */
export function isEmailAddress(text: string): boolean {
  if (text.length > maximumLength || text.startsWith(".") || text.includes("..") || text.includes(".@"))
    return false;
  return address.test(text);
}

/** An e-mail address as a match key: the parsed value is normalised. */
export const emailSchema = z
  .string()
  .check((payload) => {
    const normalised = normaliseEmail(payload.value);
    if (isEmailAddress(normalised)) payload.value = normalised;
    else payload.issues.push({ code: "custom", message: "must be an e-mail address", input: payload.value });
  })
  .meta({
    description: "E-mail address, in lower case.",
    example: "ada@example.com",
    format: "email",
    maxLength: 254,
  });
