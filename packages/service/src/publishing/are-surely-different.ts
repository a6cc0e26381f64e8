/** Comparisons per text. Beyond that, the answer is false. */
const comparedPerText = 16;
/** Addresses differ at the beginning, ids at the end. */
const hashedAtBeginning = 16;
const hashedAtEnd = 8;

/**
 * Whether no two texts are equal. Also false if that takes too many comparisons. In a `Set`, V8 would intern each text, which costs more
 * than all of this.
 */
export function areSurelyDifferent(texts: readonly string[]): boolean {
  const slots: (string | undefined)[] = Array.from({ length: slotsFor(texts.length) });
  let comparisonsLeft = texts.length * comparedPerText;
  for (const text of texts) {
    let place = hashOf(text) & (slots.length - 1);
    for (let taken = slots[place]; taken !== undefined; taken = slots[place]) {
      if (taken === text || --comparisonsLeft < 0) return false;
      place = (place + 1) & (slots.length - 1);
    }
    slots[place] = text;
  }
  return true;
}

/** A power of two, at least half of it free. */
function slotsFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(2 * Math.max(1, count)));
}

function hashOf(text: string): number {
  let hash = text.length;
  const beginning = Math.min(hashedAtBeginning, text.length);
  for (let at = 0; at < beginning; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  for (let at = Math.max(beginning, text.length - hashedAtEnd); at < text.length; at++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
