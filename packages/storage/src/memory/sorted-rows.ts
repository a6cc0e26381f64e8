/** Rows in the order of their encoded keys. */
export interface SortedRows<Row> {
  get(key: string): Row | undefined;
  set(key: string, row: Row): void;
  delete(key: string): void;
  /** Visits the rows from `from` (included) to `to` (not included), until `visit` answers false. Nothing may change meanwhile. */
  visit(
    range: { readonly from: string; readonly to: string; readonly reverse: boolean },
    visit: (key: string, row: Row) => boolean,
  ): void;
}

/** Keys and their rows at the same places: two arrays cost half the memory of one array of pairs. */
interface Block<Row> {
  readonly keys: string[];
  readonly rows: Row[];
  /** Where the next block begins; undefined for the last one. */
  end: string | undefined;
}

/** Where a key of some family was looked for last. The next one is mostly beside it: what is written grows at its end. */
interface Finger<Row> {
  block: Block<Row>;
  position: number;
  /** The key that came last. */
  newest: string;
}

/** Small enough that shifting half of it costs less than finding the place. */
const blockSize = 256;
const fingerCount = 32;
/** A page of a list looks up a few hundred keys, and is looked at again. */
const rememberedBlocks = 2_048;
/** Keys that are passed from a finger on before the place is sought from the root. */
const fingerReach = 2;

/**
 * Sorted blocks under one sorted array of separators: a B+ tree of two levels. Below some ten million keys a third level
 * would save less than it costs, since a block is split but once in 128 insertions.
 *
 * There is no hash map beside it: most of what is written is never looked up (index entries), and a map of a million long keys
 * misses the cache at every write and stops the world when it grows. But a look-up from the root misses it as well, at most
 * of its 20 comparisons. So each family of keys has a finger where it was touched last; in deliveries it finds more than half of
 * the places. Of keys that are far from each other and looked up again, as those of a page of a list, the blocks are remembered.
 *
 * A block holds the keys from its separator up to the next one. The first separator is the empty string; a separator may
 * outlive the key it was taken from.
 */
export function createSortedRows<Row>(): SortedRows<Row> {
  const separators: string[] = [""];
  const blocks: Block<Row>[] = [{ keys: [], rows: [], end: undefined }];
  const fingers: Finger<Row>[] = Array.from({ length: fingerCount }, () => ({
    block: blockAt(0),
    position: 0,
    newest: "",
  }));
  /** Where keys were found lately, by a few of their last characters. */
  const remembered = Array.from({ length: rememberedBlocks }, () => blockAt(0));

  function blockIndexOf(key: string): number {
    let low = 0;
    let high = separators.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (key < (separators[middle] ?? "")) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  function blockAt(index: number): Block<Row> {
    const block = blocks[index];
    if (block === undefined) throw new RangeError(`there is no block ${index}`);
    return block;
  }

  /** Puts the upper part of a block, or what comes behind it, into a block of its own. */
  function addBehind(block: Block<Row>, keys: string[], rows: Row[]): Block<Row> {
    const separator = keys[0] ?? "";
    const index = blockIndexOf(separator) + 1;
    const added = { keys, rows, end: block.end };
    block.end = separator;
    blocks.splice(index, 0, added);
    separators.splice(index, 0, separator);
    return added;
  }

  function removeEmpty(block: Block<Row>): void {
    if (blocks.length === 1) return;
    const index = blocks.indexOf(block);
    blocks.splice(index, 1);
    separators.splice(index, 1);
    separators[0] = "";
    const before = blocks[index - 1];
    if (before !== undefined) before.end = block.end;
  }

  function blockOf(key: string): Block<Row> {
    const place = placeOf(key);
    const known = remembered[place];
    if (known !== undefined && belongsTo(known, key)) return known;
    return (remembered[place] = blockAt(blockIndexOf(key)));
  }

  /** The finger of the key's family, put on the first place whose key is not below it, in the block where it belongs. */
  function find(key: string): Finger<Row> {
    const family = familyOf(key);
    const finger = fingers[family];
    if (finger === undefined) throw new RangeError(`there is no finger ${family}`);
    if (reach(finger, key)) return finger;
    finger.block = blockOf(key);
    finger.position = lowerBound(finger.block.keys, key);
    return finger;
  }

  return {
    get(key) {
      const { block, position } = find(key);
      return block.keys[position] === key ? block.rows[position] : undefined;
    },

    set(key, row) {
      const finger = find(key);
      const { block, position } = finger;
      const { keys, rows } = block;
      if (keys[position] === key) {
        rows[position] = row;
        return;
      }
      const isNext = position > 0 && keys[position - 1] === finger.newest;
      finger.newest = key;
      if (position < keys.length) {
        keys.splice(position, 0, key);
        rows.splice(position, 0, row);
        if (keys.length <= blockSize) return;
        // What comes behind keys that arrive in order gets out of their way: they go on at the end of a block.
        const half = isNext ? position + 1 : blockSize / 2;
        addBehind(block, keys.splice(half), rows.splice(half));
        return;
      }
      // Keys mostly arrive in order: a full block is left full and a new one begun, not split into halves.
      if (keys.length < blockSize) {
        keys.push(key);
        rows.push(row);
      } else {
        finger.block = addBehind(block, [key], [row]);
        finger.position = 0;
      }
    },

    delete(key) {
      const { block, position } = find(key);
      const { keys, rows } = block;
      if (keys[position] !== key) return;
      keys.splice(position, 1);
      rows.splice(position, 1);
      if (keys.length === 0) removeEmpty(block);
    },

    visit({ from, to, reverse }, visit) {
      if (to <= from) return;
      if (reverse) {
        for (let index = blockIndexOf(to); index >= 0; index--) {
          const { keys, rows } = blockAt(index);
          for (let position = lowerBound(keys, to) - 1; position >= 0; position--) {
            if ((keys[position] ?? "") < from || !visitAt(keys, rows, position, visit)) return;
          }
        }
        return;
      }
      for (let index = blockIndexOf(from); index < blocks.length; index++) {
        const { keys, rows } = blockAt(index);
        for (let position = lowerBound(keys, from); position < keys.length; position++) {
          if ((keys[position] ?? "") >= to || !visitAt(keys, rows, position, visit)) return;
        }
      }
    },
  };
}

/** Moves a finger to the place of a key near it: on, as keys are written, or back, as the newest are read first. Answers whether it was near. */
function reach<Row>(finger: Finger<Row>, key: string): boolean {
  const { keys, end } = finger.block;
  let { position } = finger;
  // An empty block is no longer one of the tree, or the only one.
  if (position >= keys.length) return false;
  if ((keys[position] ?? "") > key) {
    const first = Math.max(position - fingerReach, 0);
    while (position > first && (keys[position - 1] ?? "") >= key) position -= 1;
    // Below the first key that is looked at anything may lie, unless it is the key.
    if (keys[position] !== key && (position === 0 || (keys[position - 1] ?? "") >= key)) return false;
    finger.position = position;
    return true;
  }
  const last = Math.min(position + fingerReach, keys.length - 1);
  while (position <= last && (keys[position] ?? "") < key) position += 1;
  if (position > last && (position < keys.length || (end !== undefined && key >= end))) return false;
  finger.position = position;
  return true;
}

/** Keys of one kind are neighbours. Two kinds that share a finger take it from each other, and nothing else. */
function familyOf(key: string): number {
  const code =
    key.charCodeAt(4) * 3 + key.charCodeAt(10) * 5 + key.charCodeAt(12) * 7 + key.charCodeAt(13) * 11;
  return code & (fingerCount - 1);
}

/** Whether a key surely belongs to a block. Before its first key anything may lie; and an empty one is no longer of the tree, or the only one. */
function belongsTo<Row>({ keys, end }: Block<Row>, key: string): boolean {
  const [first] = keys;
  return first !== undefined && first <= key && (end === undefined || key < end);
}

/** What tells the keys of a page from each other stands near their ends. */
function placeOf(key: string): number {
  const { length } = key;
  let place = 0;
  for (let index = Math.max(0, length - 7); index < length; index++)
    place = (place * 31 + key.charCodeAt(index)) | 0;
  return place & (rememberedBlocks - 1);
}

function visitAt<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  position: number,
  visit: (key: string, row: Row) => boolean,
): boolean {
  const key = keys[position];
  const row = rows[position];
  return key === undefined || row === undefined || visit(key, row);
}

/** The first position whose key is not below `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
