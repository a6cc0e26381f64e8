import { createHash } from "node:crypto";
import { beginningOf } from "@hookwright/domain";

/** A key must hold three such texts and several ids. */
const maximumBytes = 256;

/** Converts a text for an index key. A text that is too long becomes its beginning and a hash. Filters must use the same form. */
export function toIndexText(text: string): string {
  // UTF-8 needs at most three bytes per UTF-16 unit. A NUL takes two bytes in a key.
  if (text.length * 3 <= maximumBytes || keyBytes(text) <= maximumBytes) return text;
  return `${beginningOf(text, 32)}…${createHash("sha256").update(text).digest("base64url")}`;
}

function keyBytes(text: string): number {
  return Buffer.byteLength(text) + text.split("\0").length - 1;
}
