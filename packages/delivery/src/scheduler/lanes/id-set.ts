import type { Writable } from "../../writable.ts";

/** A set of delivery ids, of which a busy webhook adds, finds and removes tens of thousands a second. */
export interface IdSet {
  readonly size: number;
  has(id: string): boolean;
  add(id: string): void;
  /** Answers whether it was there. */
  delete(id: string): boolean;
}

const initialSlots = 16;
/** Larger ones are given up once they are empty. */
const keptSlots = 64;
/** Ids end in random digits (RFC 9562, section 5.7); so many of them spread them well. */
const hashedCharacters = 8;

/**
 * V8 interns every text that a `Set` or a `Map` is asked about: it is looked up in a table of all such texts, and copied for as
 * long as the old generation keeps it. An id is asked about three times and never again, so here ids are compared as they are
 * (open addressing, linear probing, at most half full). Their hashes stand beside them: the text of another id, which has not been looked at
 * for a while, is in no cache.
 */
export function createIdSet(): IdSet {
  let slots = emptySlots(initialSlots);
  let hashes = new Int32Array(initialSlots);

  /** Where the id is, or would be. */
  function placeOf(id: string, hash: number): number {
    const mask = slots.length - 1;
    let place = hash & mask;
    for (;;) {
      const found = slots[place];
      if (found === undefined || (hashes[place] === hash && found === id)) return place;
      place = (place + 1) & mask;
    }
  }

  function put(place: number, id: string, hash: number): void {
    slots[place] = id;
    hashes[place] = hash;
  }

  function resize(count: number): void {
    const [before, hashesBefore] = [slots, hashes];
    slots = emptySlots(count);
    hashes = new Int32Array(count);
    before.forEach((id, place) => {
      const hash = hashesBefore[place] ?? 0;
      if (id !== undefined) put(placeOf(id, hash), id, hash);
    });
  }

  /** Moves up whoever stands behind a gap because its own place was taken, so that none is lost behind it. */
  function closeGap(gap: number): void {
    const mask = slots.length - 1;
    let empty = gap;
    for (let place = (gap + 1) & mask; ; place = (place + 1) & mask) {
      const id = slots[place];
      if (id === undefined) break;
      const hash = hashes[place] ?? 0;
      const stepsFromHome = (place - hash) & mask;
      if (stepsFromHome < ((place - empty) & mask)) continue;
      put(empty, id, hash);
      empty = place;
    }
    slots[empty] = undefined;
  }

  const set: Writable<IdSet> = {
    size: 0,
    has: (id) => slots[placeOf(id, hashOf(id))] !== undefined,
    add(id) {
      const hash = hashOf(id);
      const place = placeOf(id, hash);
      if (slots[place] !== undefined) return;
      put(place, id, hash);
      set.size += 1;
      if (set.size * 2 > slots.length) resize(slots.length * 2);
    },
    delete(id) {
      const place = placeOf(id, hashOf(id));
      if (slots[place] === undefined) return false;
      closeGap(place);
      set.size -= 1;
      if (set.size === 0 && slots.length > keptSlots) resize(initialSlots);
      return true;
    },
  };
  return set;
}

function hashOf(id: string): number {
  let hash = 0;
  for (let index = Math.max(0, id.length - hashedCharacters); index < id.length; index++)
    hash = (Math.imul(hash, 31) + id.charCodeAt(index)) | 0;
  return hash;
}

function emptySlots(count: number): (string | undefined)[] {
  return Array.from({ length: count }, () => undefined);
}
