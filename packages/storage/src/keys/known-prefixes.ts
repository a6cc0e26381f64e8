import type { Key, KeyPart } from "../port.ts";

/** A key that was encoded before. */
export interface KnownPrefix {
  readonly parts: Key;
  /** Its bytes, and as many zeros as make four of the last of them. */
  readonly words: DataView;
  /** Where each part of it ends. */
  readonly ends: readonly number[];
}

/**
 * One key of each kind (its second part) that was encoded lately. Keys of a kind begin alike, with an account, an event, a
 * site: its bytes are copied four at a time, where the characters of a text are looked at one by one.
 */
export interface KnownPrefixes {
  of(key: Key): KnownPrefix | undefined;
  /** Told of each key that shares nothing but its kind with the one that is known, or whose kind is new. */
  learn(key: Key, bytes: Uint8Array, start: number, end: number): void;
}

const mostKinds = 256;
const mostBytes = 256;
/** Where accounts take turns nothing is alike for long: learning costs as much as it saves, so it happens now and then. */
const learnedOf = 8;

export function createKnownPrefixes(): KnownPrefixes {
  const known = new Map<KeyPart | undefined, KnownPrefix>();
  let asked = 0;
  return {
    of: (key) => known.get(key[1]),
    learn(key, bytes, start, end) {
      const kind = key[1];
      if (known.has(kind) && ++asked % learnedOf !== 0) return;
      if (key.length < 3 || end - start > mostBytes) return;
      if (known.size >= mostKinds) known.clear();
      const copy = new Uint8Array(Math.ceil((end - start) / 4) * 4);
      copy.set(bytes.subarray(start, end));
      known.set(kind, { parts: [...key], words: new DataView(copy.buffer), ends: endsOf(key, copy) });
    },
  };
}

/** The partition takes three bytes, a number eight; a text ends at the first NUL which no `FF` follows. */
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
