import { createHash } from "node:crypto";
import { beginningOf } from "@hookwright/domain";

/** A key has room for three such texts beside the ids in it. */
const maximumBytes = 256;

/**
 * The form in which a text stands in an index key: itself, or its beginning and a hash where it is too long for a key. Filters must use
 * the same form.
 */
export function toIndexText(text: string): string {
  // No character takes more than three bytes for each of its UTF-16 units; a NUL takes two in a key.
  if (text.length * 3 <= maximumBytes || keyBytes(text) <= maximumBytes) return text;
  return `${beginningOf(text, 32)}…${createHash("sha256").update(text).digest("base64url")}`;
}

function keyBytes(text: string): number {
  return Buffer.byteLength(text) + text.split("\0").length - 1;
}
