/** Texts in the order in which they were first asked for. */
export interface TextPlaces {
  readonly texts: readonly string[];
  /** Where the text stands; one that is new goes to the end. */
  placeOf(text: string): number;
}

const initialSlots = 64;

/**
 * V8 interns every text that a `Map` is asked about, in a table of all such texts. A key that is read once is not worth that, so
 * here texts are compared as they are (open addressing, linear probing, at most half full).
 *
 * @param seed begins each hash, so that nobody outside can choose texts that share one
 */
export function createTextPlaces(seed: number): TextPlaces {
  const texts: string[] = [];
  /** Places, counted from 1; 0 where there is none. */
  let slots = new Int32Array(initialSlots);

  function slotOf(text: string): number {
    const mask = slots.length - 1;
    let hash = seed;
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995);
      hash ^= hash >>> 15;
    }
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const place = slots[slot];
      if (place === undefined || place === 0 || texts[place - 1] === text) return slot;
    }
  }

  function grow(): void {
    slots = new Int32Array(slots.length * 2);
    for (const [index, text] of texts.entries()) slots[slotOf(text)] = index + 1;
  }

  return {
    texts,
    placeOf(text) {
      const slot = slotOf(text);
      const known = slots[slot];
      if (known !== undefined && known > 0) return known - 1;
      const count = texts.push(text);
      slots[slot] = count;
      if (count * 2 > slots.length) grow();
      return count - 1;
    },
  };
}
