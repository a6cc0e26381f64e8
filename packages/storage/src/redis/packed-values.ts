import { maximumKeyBytes, writeKey } from "../keys/key-bytes.ts";
import type { Key } from "../port.ts";

/** Writes values in MessagePack, which Redis' own `cmsgpack` reads into Lua tables: one argument instead of some thousands. */
export interface PackedValues {
  /** Bytes written so far. */
  readonly length: number;
  /** Forgets what was written from there on. */
  truncate(length: number): void;
  text(text: string): void;
  /** The encoded key, each byte of it as one character; the answer is a hash of it. */
  key(key: Key): number;
  /** What {@link PackedValues.key} writes, of a key that has been encoded already. */
  encodedKey(encoded: string): void;
  no(): void;
  /** An array whose length is not known yet; the answer closes it. */
  array(): (length: number) => void;
  /** A copy of what was written. */
  take(): Buffer;
}

/** `str 32` and `array 32`: five bytes each, whatever the length, so it can be filled in afterwards. */
const textTag = 0xdb;
const arrayTag = 0xdd;
const noTag = 0xc2;
const headerBytes = 5;
const shortLength = 32;
/** Larger ones are not kept for the next group. */
const keptBytes = 1024 * 1024;

export function createPackedValues(): PackedValues {
  const scratch = new Uint8Array(maximumKeyBytes);
  let bytes = Buffer.allocUnsafeSlow(64 * 1024);
  let position = 0;

  function reserve(count: number): void {
    if (position + count <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, position + count));
    bytes.copy(larger, 0, 0, position);
    bytes = larger;
  }

  function header(at: number, tag: number, length: number): void {
    bytes[at] = tag;
    bytes[at + 1] = length >>> 24;
    bytes[at + 2] = length >>> 16;
    bytes[at + 3] = length >>> 8;
    bytes[at + 4] = length;
  }

  function text(value: string): void {
    // No character takes more than three bytes for each of its UTF-16 units.
    reserve(headerBytes + value.length * 3);
    const written = writeShortAscii(value) ?? bytes.write(value, position + headerBytes);
    header(position, textTag, written);
    position += headerBytes + written;
  }

  /** A call into native code costs as much as some thirty turns of this loop. */
  function writeShortAscii(value: string): number | undefined {
    const { length } = value;
    if (length > shortLength) return undefined;
    const start = position + headerBytes;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return undefined;
      bytes[start + index] = code;
    }
    return length;
  }

  return {
    get length() {
      return position;
    },
    truncate(length) {
      position = length;
    },
    text,
    key(key) {
      const length = writeKey(key, scratch, 0);
      reserve(headerBytes + length * 2);
      const start = position;
      position += headerBytes;
      let hash = 0;
      for (let index = 0; index < length; index++) {
        const byte = scratch[index] ?? 0;
        hash = (Math.imul(hash, 31) + byte) | 0;
        // As UTF-8 writes the character of that number. The order of bytes stays as it was.
        if (byte < 0x80) bytes[position++] = byte;
        else {
          bytes[position++] = 0xc0 | (byte >> 6);
          bytes[position++] = 0x80 | (byte & 0x3f);
        }
      }
      header(start, textTag, position - start - headerBytes);
      return hash;
    },
    encodedKey: text,
    no() {
      reserve(1);
      bytes[position++] = noTag;
    },
    array() {
      reserve(headerBytes);
      const start = position;
      position += headerBytes;
      return (length) => header(start, arrayTag, length);
    },
    take() {
      const taken = Buffer.from(bytes.subarray(0, position));
      position = 0;
      if (bytes.length > keptBytes) bytes = Buffer.allocUnsafeSlow(64 * 1024);
      return taken;
    },
  };
}
