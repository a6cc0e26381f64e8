import type { Key } from "../port.ts";

/** Kinds share marks, so the number of marks is limited. */
const marks = 256;
/** Enough to distinguish kinds. */
const hashedCharacters = 24;

/**
 * Returns the mark of a key's kind (its second part): the upper eight bits of FNV-1a (32 bits) over its
 * UTF-16 units. It is part of the data layout and never changes.
 *
 * A row with an empty text is only in the index. Reads check the mark of the kind in the hash, and need the
 * index only if the mark is set.
 */
export function emptyMarkOf(key: Key): number {
  const kind = key[1];
  if (typeof kind !== "string") return 0;
  let hash = 0x811c9dc5;
  const end = Math.min(kind.length, hashedCharacters);
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ kind.charCodeAt(at), 0x01000193);
  return hash >>> 24;
}

/** Encoded keys never begin with NUL. */
const fields = Array.from({ length: marks }, (_, mark) => `\0empty:${mark}`);

/** Returns the hash field of a mark. */
export function markField(mark: number): string {
  return fields[mark] ?? "";
}
