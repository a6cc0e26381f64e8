import { hash } from "node:crypto";

const header = /^hookwright ([0-9]{1,10}) ([0-9a-f]{32})\n/;

/**
 * Encodes a JSON text as an item: a line with its length and checksum, then the text in printable ASCII.
 * Drivers may change other characters, byte order marks and line ends. It begins with a letter, because
 * unstorage parses texts that look like JSON.
 *
 * The checksum includes the name, so an item under another name is detected.
 */
export function sealText(name: string, json: string): string {
  const text = toAscii(json);
  return `hookwright ${text.length} ${checksum(name, text)}\n${text}`;
}

/** Returns the JSON text of an item, or `undefined` if it is damaged. */
export function unsealText(name: string, sealed: string): string | undefined {
  const [line, length, expected] = header.exec(sealed) ?? [];
  if (line === undefined) return undefined;
  const text = sealed.slice(line.length);
  return text.length === Number(length) && checksum(name, text) === expected ? text : undefined;
}

function checksum(name: string, text: string): string {
  return hash("sha256", `${name}\n${text}`).slice(0, 32);
}

const unprintable = /[^\x20-\x7e]/;
const hexadecimal = Buffer.from("0123456789abcdef");

/**
 * Escapes other characters, which only occur in JSON strings. It works on bytes, because a regular expression
 * is 40 times slower for large texts.
 */
function toAscii(json: string): string {
  if (!unprintable.test(json)) return json;
  let escapes = 0;
  for (let at = 0; at < json.length; at++) if (!isPrintable(json.charCodeAt(at))) escapes++;
  const bytes = Buffer.allocUnsafe(json.length + 5 * escapes);
  let end = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (isPrintable(code)) {
      bytes[end++] = code;
      continue;
    }
    bytes[end++] = 0x5c; // \
    bytes[end++] = 0x75; // u
    for (let shift = 12; shift >= 0; shift -= 4) bytes[end++] = hexadecimal[(code >>> shift) & 15] ?? 0;
  }
  return bytes.toString("latin1");
}

function isPrintable(code: number): boolean {
  return code >= 0x20 && code <= 0x7e;
}
