import type { Key } from "../port.ts";
import { StorageError } from "../storage-error.ts";

/**
 * The largest size of an encoded key. LMDB allows 1,978 bytes. The difference leaves space for the prefixes
 * and indexes of an adapter.
 */
export const maximumKeyBytes = 1_900;

export const numberTag = 0x01;
export const stringTag = 0x02;
const partitionBytes = 3;
const numberBytes = 8;
/** Added to the upper bits, so that every safe integer (54 bits with its sign) becomes positive. */
const highOffset = 2 ** 29;

const textEncoder = new TextEncoder();

/**
 * Writes the order-preserving encoding of a key and returns the position after it. The partition is three
 * ASCII characters. A number is the tag 1 and seven big-endian bytes. A string is the tag 2, its UTF-8 with
 * NUL written as `00 FF`, and a final `00`.
 *
 * It loops over characters, because for short ASCII parts a call into native code is slower.
 *
 * @param bytes needs {@link maximumKeyBytes} free bytes from `position`
 * @throws {StorageError} `invalid_key`, `key_too_long`
 */
export function writeKey(key: Key, bytes: Uint8Array, position: number): number {
  const begin = position;
  const end = position + maximumKeyBytes;
  const partition = key[0];
  if (!isPartition(partition)) throw invalidPartition(partition);
  position += partitionBytes;
  bytes[begin] = 0x70;
  bytes[begin + 1] = partition.charCodeAt(1);
  bytes[begin + 2] = partition.charCodeAt(2);
  for (let index = 1; index < key.length; index++) {
    const part = key[index];
    if (typeof part === "string") {
      if (position + part.length + 2 > end) throw keyTooLong(key);
      bytes[position++] = stringTag;
      const start = position;
      for (let at = 0; at < part.length; at++) {
        const code = part.charCodeAt(at);
        if (code === 0 || code > 0x7f) {
          position = writeEscaped(key, part, bytes, start, end);
          break;
        }
        bytes[position++] = code;
      }
      bytes[position++] = 0;
    } else {
      if (position + numberBytes > end) throw keyTooLong(key);
      position = writeInteger(part, bytes, position);
    }
  }
  return position;
}

/** Returns whether a text is a partition, `p00` to `p63`. */
export function isPartition(text: unknown): text is string {
  if (typeof text !== "string" || text.length !== 3 || text.charCodeAt(0) !== 0x70) return false;
  const tens = text.charCodeAt(1) - 0x30;
  const ones = text.charCodeAt(2) - 0x30;
  return tens >= 0 && tens <= 6 && ones >= 0 && ones <= (tens === 6 ? 3 : 9);
}

export function invalidPartition(partition: unknown): StorageError {
  return new StorageError(
    "invalid_key",
    `The first part of a key must be a partition, "p00" to "p63", not ${JSON.stringify(partition) ?? typeof partition}. Use partitionOf(text).`,
  );
}

function writeInteger(part: unknown, bytes: Uint8Array, position: number): number {
  if (typeof part !== "number" || !Number.isSafeInteger(part)) {
    throw new StorageError(
      "invalid_key",
      `A part of a key must be a string or a safe integer, not ${typeof part === "number" ? part : typeof part}. Convert it first.`,
    );
  }
  // Split before the offset is added, because odd numbers above 2^53 are not doubles.
  const quotient = Math.floor(part / 0x1000000);
  const low = part - quotient * 0x1000000;
  const high = quotient + highOffset;
  bytes[position] = numberTag;
  bytes[position + 1] = Math.floor(high / 0x1000000);
  bytes[position + 2] = high >>> 16;
  bytes[position + 3] = high >>> 8;
  bytes[position + 4] = high;
  bytes[position + 5] = low >>> 16;
  bytes[position + 6] = low >>> 8;
  bytes[position + 7] = low;
  return position + numberBytes;
}

/** Writes a string that contains NUL or non-ASCII characters, and leaves space for the final byte. */
function writeEscaped(key: Key, part: string, bytes: Uint8Array, position: number, end: number): number {
  if (!part.isWellFormed()) {
    throw new StorageError(
      "invalid_key",
      "A part of a key contains half of a surrogate pair, which UTF-8 cannot encode. Pass the string through toWellFormed(), or reject it earlier.",
    );
  }
  for (const byte of textEncoder.encode(part)) {
    if (position + (byte === 0 ? 3 : 2) > end) throw keyTooLong(key);
    bytes[position++] = byte;
    if (byte === 0) bytes[position++] = 0xff;
  }
  return position;
}

function keyTooLong(key: Key): StorageError {
  const start = key.map((part) => String(part)).join("/");
  return new StorageError(
    "key_too_long",
    `The key ${start.length > 80 ? `${start.slice(0, 80)}…` : start} takes more than ${maximumKeyBytes} bytes. Shorten its parts, or use a digest of a long part.`,
  );
}
