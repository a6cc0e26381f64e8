import type { Key } from "../port.ts";

/** Kinds share marks, so that their number has a bound whatever keys are made of. */
const marks = 1_024;
/** Enough to tell kinds apart. */
const hashedCharacters = 24;

/**
 * The mark of a key's kind, which is its second part.
 *
 * A row whose text is empty stands in the index alone: an entry of an index of ours has no other text, and half of all rows are such
 * entries. So what the hash does not have may be one, and whoever seeks a key would have to ask twice. But it asks for the mark as
 * well, and where that is not set no key of the kind has ever had an empty text.
 */
export function emptyMarkOf(key: Key): number {
  const kind = key[1];
  if (typeof kind !== "string") return 0;
  let hash = kind.length;
  const end = Math.min(kind.length, hashedCharacters);
  for (let at = 0; at < end; at++) hash = (Math.imul(hash, 31) + kind.charCodeAt(at)) | 0;
  return (hash >>> 8) % marks;
}

/** No encoded key begins with a NUL. */
const fields = Array.from({ length: marks }, (_, mark) => `\0empty:${mark}`);

/** The field of the hash for a mark. */
export function markField(mark: number): string {
  return fields[mark] ?? "";
}
