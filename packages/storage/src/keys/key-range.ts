import type { Key, ListOptions } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import { encodeKey, endOfParts } from "./key-codec.ts";

/** A range of encoded keys in which to list: `from` is inclusive, `to` is exclusive. */
export interface KeyRange {
  readonly prefix: { readonly key: Key; readonly length: number };
  readonly from: string;
  readonly to: string;
  /** With `groupBy`: returns the range of the group of an encoded key. */
  readonly groupOf?: ((encoded: string) => { readonly from: string; readonly to: string }) | undefined;
}

/**
 * Turns a prefix and its bounds into a range of encoded keys.
 *
 * `from` is never itself an encoded key.
 *
 * @throws {StorageError} `invalid_argument`, `invalid_key`, `key_too_long`
 */
export function toKeyRange({ prefix, after, before, limit, groupBy }: ListOptions): KeyRange {
  checkPositive("limit", limit);
  if (groupBy !== undefined) checkPositive("groupBy", groupBy);
  const encoded = encodeKey(prefix);
  const groupParts = groupBy === undefined ? undefined : prefix.length + groupBy;
  // The next part of a longer key begins with a tag, 1 or 2. FF would be the rest of an escaped NUL.
  let from = `${encoded}\x01`;
  let to = `${encoded}\x03`;
  if (after !== undefined) {
    const isWholeGroup = groupParts !== undefined && after.length >= groupParts;
    const bound = isWholeGroup ? `${encodeKey(firstParts(after, groupParts))}\x03` : `${encodeKey(after)}\0`;
    if (bound > from) from = bound;
  }
  if (before !== undefined) {
    const bound = encodeKey(groupParts === undefined ? before : firstParts(before, groupParts));
    if (bound < to) to = bound;
  }
  const { length } = encoded;
  return {
    prefix: { key: prefix, length },
    from,
    to,
    groupOf: groupBy === undefined ? undefined : (key) => toGroup(key, length, groupBy),
  };
}

function toGroup(encoded: string, start: number, parts: number): { from: string; to: string } {
  const end = endOfParts(encoded, start, parts);
  if (end === undefined) return { from: encoded, to: `${encoded}\0` };
  const group = encoded.slice(0, end);
  return { from: group, to: `${group}\x03` };
}

function firstParts([partition, ...parts]: Key, count: number): Key {
  return [partition, ...parts.slice(0, count - 1)];
}

function checkPositive(name: "limit" | "groupBy", value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new StorageError("invalid_argument", `${name} must be a positive integer, not ${value}.`);
}
