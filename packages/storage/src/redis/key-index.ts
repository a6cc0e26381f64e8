import type { Key } from "../port.ts";
import type { ArgumentWriter, WriterMark } from "./argument-writer.ts";

/** Writes keys as arguments, each only once. */
export interface KeyIndex {
  /** Returns the index of the key's argument. Writes the key if it is new. */
  indexOf(key: Key): number;
  /** Removes the keys after the mark. The writer must be rewound too. */
  rewind(mark: WriterMark): void;
}

interface WrittenKey {
  readonly hash: number;
  readonly mark: WriterMark;
}

const initialSlots = 64;
/**
 * After this many probes a key is not indexed and may be written twice. This limits the cost of keys with
 * equal hashes.
 */
const maxProbes = 16;

/**
 * A hash table over the written keys (open addressing, linear probing, at most half full). A `Map` would
 * intern every key, which is too expensive for keys that are read once.
 */
export function createKeyIndex(writer: ArgumentWriter): KeyIndex {
  const written: WrittenKey[] = [];
  /** Indexes of `written`, counted from 1. 0 marks an empty slot. */
  let slots = new Int32Array(initialSlots);

  function put(hash: number, index: number): void {
    const mask = slots.length - 1;
    for (let slot = hash; slot < hash + maxProbes; slot++) {
      if (slots[slot & mask] !== 0) continue;
      slots[slot & mask] = index;
      return;
    }
  }

  function find(last: WrittenKey): WrittenKey | undefined {
    const mask = slots.length - 1;
    for (let slot = last.hash; slot < last.hash + maxProbes; slot++) {
      const known = written[(slots[slot & mask] ?? 0) - 1];
      if (known === undefined) return undefined;
      if (known.hash === last.hash && writer.isLastAt(known.mark, last.mark)) return known;
    }
    return undefined;
  }

  function rebuild(count: number): void {
    slots = new Int32Array(count);
    for (const [index, { hash }] of written.entries()) put(hash, index + 1);
  }

  return {
    indexOf(key) {
      const mark = writer.mark();
      const last = { hash: writer.key(key), mark };
      const known = find(last);
      if (known !== undefined) {
        writer.rewind(mark);
        return known.mark.count;
      }
      put(last.hash, written.push(last));
      if (written.length * 2 > slots.length) rebuild(slots.length * 2);
      return mark.count;
    },
    rewind({ count }) {
      while ((written.at(-1)?.mark.count ?? -1) >= count) written.pop();
      rebuild(slots.length);
    },
  };
}
