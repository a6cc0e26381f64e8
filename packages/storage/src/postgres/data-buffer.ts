import { randomInt } from "node:crypto";
import { maximumKeyBytes, writeKey } from "../keys/key-bytes.ts";
import type { Key } from "../port.ts";

/** A part of the data: its position and its length in bytes. */
export interface Piece {
  readonly start: number;
  readonly length: number;
}

/** Keys and texts end to end. `pg` sends it in binary, while it would write an array of `bytea` in hexadecimal. */
export interface DataBuffer {
  /** @throws {StorageError} `invalid_key`, `key_too_long` */
  addKey(key: Key): Piece;
  addText(text: string): Piece;
  byteLength(): number;
  /** Discards what was added after this length. */
  rewind(byteLength: number): void;
  hashOf(piece: Piece): number;
  areEqual(one: Piece, other: Piece): boolean;
  bytes(): Buffer;
}

const initialBytes = 8 * 1024;
/** Nobody can choose keys whose hashes are equal. */
const seed = randomInt(2 ** 30);
const maxBytesOfUnit = 3;

export function createDataBuffer(): DataBuffer {
  let buffer = Buffer.allocUnsafe(initialBytes);
  let end = 0;

  function reserve(size: number): void {
    if (end + size <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + size));
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  }

  function endAt(position: number): Piece {
    const start = end;
    end = position;
    return { start, length: end - start };
  }

  return {
    addKey(key) {
      reserve(maximumKeyBytes);
      return endAt(writeKey(key, buffer, end));
    },
    addText(text) {
      reserve(text.length * maxBytesOfUnit);
      return endAt(end + buffer.write(text, end));
    },
    byteLength: () => end,
    rewind: (byteLength) => void (end = byteLength),
    hashOf({ start, length }) {
      let hash = seed;
      for (let at = start; at < start + length; at++)
        hash = Math.imul(hash ^ (buffer[at] ?? 0), 0x01_00_01_93);
      // V8 keeps integers of 31 bits without an object.
      return (hash ^ (hash >>> 15)) & 0x3fff_ffff;
    },
    areEqual(one, other) {
      if (one.length !== other.length) return false;
      // Keys of a partition begin alike.
      for (let at = one.length - 1; at >= 0; at--)
        if (buffer[one.start + at] !== buffer[other.start + at]) return false;
      return true;
    },
    bytes: () => buffer.subarray(0, end),
  };
}
