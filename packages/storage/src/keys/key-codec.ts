import type { Key, KeyPart } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import { maximumKeyBytes, numberTag, writeKey } from "./key-bytes.ts";

const scratch = new Uint8Array(maximumKeyBytes);
/** Keeps byte order marks, because they are part of the key. */
const textDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Node's conversion is four times as fast. Other runtimes do not have it. */
const nodeScratch = typeof Buffer === "undefined" ? undefined : Buffer.from(scratch.buffer);

/**
 * Encodes a key as a binary string: one character for each byte. Comparing encoded keys with `<` gives the
 * order of the keys.
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
 * Decodes an encoded key.
 *
 * @param prefix the known beginning of the key and its encoded length. Only the rest is decoded
 * @throws {StorageError} `corrupted` if it is not an encoded key
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

/** Returns the position after the given number of parts of an encoded key, or `undefined` if it has fewer. */
export function endOfParts(encoded: string, start: number, count: number): number | undefined {
  let position = start;
  for (let part = 0; part < count; part++) {
    if (position >= encoded.length) return undefined;
    const isNumber = encoded.charCodeAt(position) === numberTag;
    position = isNumber ? position + 8 : endOfString(encoded, position + 1) + 1;
  }
  return position;
}

/** Returns the position of the final NUL: the first one without a following `FF`. */
function endOfString(encoded: string, start: number): number {
  let end = encoded.indexOf("\0", start);
  while (end !== -1 && encoded.charCodeAt(end + 1) === 0xff) end = encoded.indexOf("\0", end + 2);
  if (end !== -1) return end;
  throw new StorageError(
    "corrupted",
    `The storage contains an invalid key: ${JSON.stringify(encoded)}. Another program may have written it. Remove it, or restore a backup.`,
  );
}

function decodeString(escaped: string): string {
  // eslint-disable-next-line no-control-regex -- plain ASCII without NUL, which is not escaped
  if (/^[\x01-\x7f]*$/.test(escaped)) return escaped;
  const bytes = Uint8Array.from(escaped.replaceAll("\0\xff", "\0"), (character) => character.charCodeAt(0));
  return textDecoder.decode(bytes);
}
