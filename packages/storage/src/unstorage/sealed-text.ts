import { hash } from "node:crypto";

const header = /^hookwright ([0-9]{1,10}) ([0-9a-f]{32})\n/;

/**
 * A JSON text as an item: a line with its length and checksum, then the text in printable ASCII. Drivers strip byte order
 * marks, refuse NUL, know but a part of Unicode, or fold line ends; none of them touches this. It begins with a letter, so
 * that unstorage, which parses whatever looks like JSON, hands it back as text.
 *
 * The checksum covers the name too: an item that turns up under another name is not taken for that one.
 */
export function sealText(name: string, json: string): string {
  const text = toAscii(json);
  return `hookwright ${text.length} ${checksum(name, text)}\n${text}`;
}

/** The JSON text of an item; `undefined` where anything of it is missing or changed. */
export function unsealText(name: string, sealed: string): string | undefined {
  const [line, length, expected] = header.exec(sealed) ?? [];
  if (line === undefined) return undefined;
  const text = sealed.slice(line.length);
  return text.length === Number(length) && checksum(name, text) === expected ? text : undefined;
}

function checksum(name: string, text: string): string {
  return hash("sha256", `${name}\n${text}`).slice(0, 32);
}

/** Whatever is not printable ASCII stands within JSON strings, where an escape means the same. */
function toAscii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
