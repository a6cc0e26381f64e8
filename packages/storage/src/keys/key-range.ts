import type { Key, ListOptions } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import { encodeKey } from "./key-codec.ts";

/** The encoded keys of a listing: `from` is included where it exists, `to` is not. */
export interface KeyRange {
  readonly prefix: { readonly key: Key; readonly length: number };
  readonly from: string;
  readonly to: string;
}

/**
 * Turns a prefix and its bounds into one range of encoded keys.
 *
 * Neither `from` nor the end of a prefix is ever itself the encoded form of a key.
 *
 * @throws {StorageError} `invalid_argument`, `invalid_key`, `key_too_long`
 */
export function toKeyRange({ prefix, after, before, limit }: ListOptions): KeyRange {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new StorageError("invalid_argument", `limit must be a positive integer, not ${limit}.`);
  }
  const encoded = encodeKey(prefix);
  // What extends a key goes on with one of the two tags, 1 and 2. (`FF` would be the rest of an escaped NUL, in another key.)
  let from = `${encoded}\x01`;
  let to = `${encoded}\x03`;
  if (after !== undefined) {
    const bound = `${encodeKey(after)}\0`;
    if (bound > from) from = bound;
  }
  if (before !== undefined) {
    const bound = encodeKey(before);
    if (bound < to) to = bound;
  }
  return { prefix: { key: prefix, length: encoded.length }, from, to };
}
