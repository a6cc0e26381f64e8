import type { Key } from "../port.ts";
import type { ArgumentWriter, WriterMark } from "./argument-writer.ts";

/** Keys that are written as arguments, each once. */
export interface KeyPlaces {
  /** The key's place among all arguments; one that is new is written. */
  placeOf(key: Key): number;
  /** Forgets the keys that were written since, which the writer has forgotten as well. */
  rewind(mark: WriterMark): void;
}

interface WrittenKey {
  readonly hash: number;
  readonly mark: WriterMark;
}

const initialSlots = 64;
/** Where so many have the slots that would be its own a key goes without, and may be written twice: nobody gains by choosing keys of one hash. */
const mostProbes = 16;

/**
 * V8 interns every text that a `Map` is asked about, in a table of all such texts. A key that is read once is not worth that, nor a
 * text: it is written, and taken back where it was written before (open addressing, linear probing, at most half full).
 */
export function createKeyPlaces(writer: ArgumentWriter): KeyPlaces {
  const written: WrittenKey[] = [];
  /** Places among the keys, counted from 1; 0 where there is none. */
  let slots = new Int32Array(initialSlots);

  function put(hash: number, place: number): void {
    const mask = slots.length - 1;
    for (let slot = hash; slot < hash + mostProbes; slot++) {
      if (slots[slot & mask] !== 0) continue;
      slots[slot & mask] = place;
      return;
    }
  }

  function find(last: WrittenKey): WrittenKey | undefined {
    const mask = slots.length - 1;
    for (let slot = last.hash; slot < last.hash + mostProbes; slot++) {
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
    placeOf(key) {
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
