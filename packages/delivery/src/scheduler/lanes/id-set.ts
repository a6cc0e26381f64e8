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
 * (open addressing, linear probing, at most half full).
 */
export function createIdSet(): IdSet {
  let slots = emptySlots(initialSlots);
  let size = 0;

  /** Where the id is, or would be. */
  function placeOf(id: string): number {
    let place = homeOf(id);
    for (;;) {
      const found = slots[place];
      if (found === undefined || found === id) return place;
      place = (place + 1) & (slots.length - 1);
    }
  }

  function homeOf(id: string): number {
    let hash = 0;
    for (let index = Math.max(0, id.length - hashedCharacters); index < id.length; index++)
      hash = (Math.imul(hash, 31) + id.charCodeAt(index)) | 0;
    return hash & (slots.length - 1);
  }

  function grow(): void {
    const before = slots;
    slots = emptySlots(before.length * 2);
    for (const id of before) if (id !== undefined) slots[placeOf(id)] = id;
  }

  /** Moves up whoever stands behind a gap because its own place was taken, so that none is lost behind it. */
  function closeGap(gap: number): void {
    const mask = slots.length - 1;
    let empty = gap;
    for (let place = (gap + 1) & mask; ; place = (place + 1) & mask) {
      const id = slots[place];
      if (id === undefined) break;
      const stepsFromHome = (place - homeOf(id)) & mask;
      if (stepsFromHome < ((place - empty) & mask)) continue;
      slots[empty] = id;
      empty = place;
    }
    slots[empty] = undefined;
  }

  return {
    get size() {
      return size;
    },
    has: (id) => slots[placeOf(id)] !== undefined,
    add(id) {
      const place = placeOf(id);
      if (slots[place] !== undefined) return;
      slots[place] = id;
      size += 1;
      if (size * 2 > slots.length) grow();
    },
    delete(id) {
      const place = placeOf(id);
      if (slots[place] === undefined) return false;
      size -= 1;
      if (size === 0 && slots.length > keptSlots) slots = emptySlots(initialSlots);
      else closeGap(place);
      return true;
    },
  };
}

function emptySlots(count: number): (string | undefined)[] {
  return Array.from({ length: count }, () => undefined);
}
