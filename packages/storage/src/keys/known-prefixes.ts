import type { Key, KeyPart } from "../port.ts";

/** A key that was encoded earlier. */
export interface KnownPrefix {
  readonly parts: Key;
  /** Its bytes, padded with zeros to a multiple of four. */
  readonly words: DataView;
  /** The end position of each part. */
  readonly ends: readonly number[];
}

/**
 * Caches one encoded key of each kind, which is its second part. Keys of a kind often share a prefix, for
 * example an account. Copying its bytes is faster than encoding its characters.
 */
export interface KnownPrefixes {
  of(key: Key): KnownPrefix | undefined;
  /** Learns a key whose kind is new or that shares no more than the kind with the known key. */
  learn(key: Key, bytes: Uint8Array, start: number, end: number): void;
}

const maxKinds = 256;
const maxBytes = 256;
/** If accounts alternate, prefixes rarely match. Learning only every eighth key limits the cost. */
const learnInterval = 8;

export function createKnownPrefixes(): KnownPrefixes {
  const known = new Map<KeyPart | undefined, KnownPrefix>();
  let misses = 0;
  return {
    of: (key) => known.get(key[1]),
    learn(key, bytes, start, end) {
      const kind = key[1];
      if (known.has(kind) && ++misses % learnInterval !== 0) return;
      if (key.length < 3 || end - start > maxBytes) return;
      if (known.size >= maxKinds) known.clear();
      const copy = new Uint8Array(Math.ceil((end - start) / 4) * 4);
      copy.set(bytes.subarray(start, end));
      known.set(kind, { parts: [...key], words: new DataView(copy.buffer), ends: endsOf(key, copy) });
    },
  };
}

/**
 * The partition takes three bytes and a number eight. A string ends at the first NUL without a following
 * `FF`.
 */
function endsOf(key: Key, bytes: Uint8Array): number[] {
  let position = 3;
  return key.map((part, index) => {
    if (index === 0) return position;
    if (typeof part === "number") return (position += 8);
    let end = bytes.indexOf(0, position + 1);
    while (bytes[end + 1] === 0xff) end = bytes.indexOf(0, end + 2);
    return (position = end + 1);
  });
}
