import type { Key } from "../port.ts";

/**
 * Returns keys as the elements of a JSON array, in ASCII: the encoding of the database may lack their characters, and its
 * limit for messages counts bytes.
 */
export function toNotificationText(keys: readonly Key[]): string {
  return JSON.stringify(keys)
    .slice(1, -1)
    .replaceAll(/[^\x20-\x7e]/gu, toEscape);
}

function toEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
