import type { Key, KeyPart } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import { maximumKeyBytes, numberTag, writeKey } from "./key-bytes.ts";

const scratch = new Uint8Array(maximumKeyBytes);
/** A byte order mark is a character like any other: left out, it would make another key of this one. */
const textDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Node's own conversion is four times as fast; other runtimes have none. */
const nodeScratch = typeof Buffer === "undefined" ? undefined : Buffer.from(scratch.buffer);

/**
 * A key as a "binary" string: one character for each byte of its encoded form, so that `<` between two of them is the order
 * of the keys.
 *
 * @throws {StorageError} `invalid_key`, `key_too_long`
 */
export function encodeKey(key: Key): string {
  const length = writeKey(key, scratch, 0);
  return nodeScratch === undefined
    ? String.fromCharCode.apply(null, Array.from(scratch.subarray(0, length)))
    : nodeScratch.toString("latin1", 0, length);
}

/**
 * The key of an encoded form.
 *
 * @param prefix a key that is known to begin it, and how many bytes that takes: a page of entries is decoded from there on
 * @throws {StorageError} `corrupted` for what is no encoded key
 */
export function decodeKey(encoded: string, prefix?: { readonly key: Key; readonly length: number }): Key {
  const parts: [string, ...KeyPart[]] = prefix === undefined ? [encoded.slice(0, 3)] : [...prefix.key];
  let position = prefix === undefined ? 3 : prefix.length;
  while (position < encoded.length) {
    if (encoded.charCodeAt(position) === numberTag) {
      parts.push(decodeInteger(encoded, position + 1));
      position += 8;
    } else {
      const end = endOfString(encoded, position + 1);
      parts.push(decodeString(encoded.slice(position + 1, end)));
      position = end + 1;
    }
  }
  return parts;
}

function decodeInteger(encoded: string, position: number): number {
  let high = 0;
  for (let index = 0; index < 4; index++) high = high * 0x100 + encoded.charCodeAt(position + index);
  let low = 0;
  for (let index = 4; index < 7; index++) low = low * 0x100 + encoded.charCodeAt(position + index);
  return (high - 2 ** 29) * 0x1000000 + low;
}

/** The closing NUL: the first one which no `FF` follows. */
function endOfString(encoded: string, start: number): number {
  let end = encoded.indexOf("\0", start);
  while (end !== -1 && encoded.charCodeAt(end + 1) === 0xff) end = encoded.indexOf("\0", end + 2);
  if (end !== -1) return end;
  throw new StorageError(
    "corrupted",
    `What is stored has a key that does not end: ${JSON.stringify(encoded)}. Something else has written there: look after it, or bring the last backup back.`,
  );
}

function decodeString(escaped: string): string {
  // eslint-disable-next-line no-control-regex -- the bytes of plain ASCII, which stand for themselves
  if (/^[\x01-\x7f]*$/.test(escaped)) return escaped;
  const bytes = Uint8Array.from(escaped.replaceAll("\0\xff", "\0"), (character) => character.charCodeAt(0));
  return textDecoder.decode(bytes);
}
