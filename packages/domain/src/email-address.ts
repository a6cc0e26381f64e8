import { z } from "zod";

const maximumLength = 254;
// Rejects white space, control characters (header injection) and characters of quoted addresses. Accepts
// letters beyond ASCII (RFC 6531). Each part is matched once, without backtracking.
const local = String.raw`[^\s\p{C}"(),:;<>@[\\\]]{1,64}`;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;
const address = new RegExp(`^${local}@(?:${label}\\.)+${label}$`, "u");

/** Normalises an address for comparison and responses: trimmed, lower case. Dots and plus signs stay. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Returns whether a normalised text is an e-mail address with a dotted domain and at most 254 characters. */
export function isEmailAddress(text: string): boolean {
  if (text.length > maximumLength || text.startsWith(".") || text.includes("..") || text.includes(".@"))
    return false;
  return address.test(text);
}

/** An e-mail address that identifies a person. The parsed value is normalised. */
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
