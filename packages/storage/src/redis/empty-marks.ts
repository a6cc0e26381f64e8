import type { Key } from "../port.ts";

/** Kinds share marks, so that their number has a bound whatever keys are made of. */
const marks = 256;
/** Enough to tell kinds apart. */
const hashedCharacters = 24;

/**
 * The mark of a key's kind, which is its second part: the upper eight bits of FNV-1a (32 bits) over its UTF-16 units. The mapping is
 * part of the data's layout: it never changes.
 *
 * A row whose text is empty stands in the index alone: an entry of an index of ours has no other text, and half of all rows are such
 * entries. So what the hash does not have may be one, and whoever seeks a key would have to ask twice. But it asks for the mark as
 * well, and where that is not set no key of the kind has ever had an empty text.
 */
export function emptyMarkOf(key: Key): number {
  const kind = key[1];
  if (typeof kind !== "string") return 0;
  let hash = 0x811c9dc5;
  const end = Math.min(kind.length, hashedCharacters);
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ kind.charCodeAt(at), 0x01000193);
  return hash >>> 24;
}

/** No encoded key begins with a NUL. */
const fields = Array.from({ length: marks }, (_, mark) => `\0empty:${mark}`);

/** The field of the hash for a mark. */
export function markField(mark: number): string {
  return fields[mark] ?? "";
}
