/** Rows in the order of their encoded keys. */
export interface SortedRows<Row> {
  get(key: string): Row | undefined;
  set(key: string, row: Row): void;
  delete(key: string): void;
  /**
   * Visits the rows from `from` (inclusive) to `to` (exclusive) until `visit` returns false. The rows must
   * not change meanwhile.
   */
  visit(
    range: { readonly from: string; readonly to: string; readonly reverse: boolean },
    visit: (key: string, row: Row) => boolean,
  ): void;
}

/** Two parallel arrays take half the memory of an array of pairs. */
interface Block<Row> {
  readonly keys: string[];
  readonly rows: Row[];
  /** The start of the next block, or `undefined` for the last one. */
  end: string | undefined;
}

/** A finger: the position of the last search in a family of keys. The next search is usually close to it. */
interface Finger<Row> {
  block: Block<Row>;
  position: number;
  /** The key that was inserted last. */
  newest: string;
}

/** Small enough that an insertion costs less than the search. */
const blockSize = 256;
const fingerCount = 32;
/** A list page looks up a few hundred keys, often repeatedly. */
const rememberedBlocks = 2_048;
/** A search moves a finger over at most this many keys before it starts at the root. */
const fingerReach = 2;

/**
 * A B+ tree of two levels: sorted blocks under one sorted array of separators. A block contains the keys from
 * its separator to the next one. The first separator is the empty string.
 *
 * Searches start at fingers and cached blocks. A hash map would be larger, and growing it would block the
 * process.
 */
export function createSortedRows<Row>(): SortedRows<Row> {
  const separators: string[] = [""];
  const blocks: Block<Row>[] = [{ keys: [], rows: [], end: undefined }];
  const fingers: Finger<Row>[] = Array.from({ length: fingerCount }, () => ({
    block: blockAt(0),
    position: 0,
    newest: "",
  }));
  /** The blocks of recent searches, by a hash of the last characters of the key. */
  const remembered = Array<Block<Row>>(rememberedBlocks).fill(blockAt(0));

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

  /** Inserts a new block after a block. */
  function addAfter(block: Block<Row>, keys: string[], rows: Row[]): Block<Row> {
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
    const slot = cacheSlotOf(key);
    const known = remembered[slot];
    if (known !== undefined && belongsTo(known, key)) return known;
    return (remembered[slot] = blockAt(blockIndexOf(key)));
  }

  /** Moves the finger of the key's family to the first position whose key is not smaller, and returns it. */
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
        // If keys arrive in order, split here, so that they continue at the end of a block.
        const half = isNext ? position + 1 : blockSize / 2;
        addAfter(block, keys.splice(half), rows.splice(half));
        return;
      }
      // Keys usually arrive in order, so a full block stays full and a new one begins.
      if (keys.length < blockSize) {
        keys.push(key);
        rows.push(row);
      } else {
        finger.block = addAfter(block, [key], [row]);
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

/** Moves a finger to a close key, forwards or backwards. Returns whether the key was close. */
function reach<Row>(finger: Finger<Row>, key: string): boolean {
  const { keys, end } = finger.block;
  let { position } = finger;
  // An empty block was removed from the tree or is the only one.
  if (position >= keys.length) return false;
  if ((keys[position] ?? "") > key) {
    const first = Math.max(position - fingerReach, 0);
    while (position > first && (keys[position - 1] ?? "") >= key) position -= 1;
    // The key may be in an earlier position, unless this is the key itself.
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

/** Keys of one kind are close to each other. Two kinds may share a finger, which only costs time. */
function familyOf(key: string): number {
  const code =
    key.charCodeAt(4) * 3 + key.charCodeAt(10) * 5 + key.charCodeAt(12) * 7 + key.charCodeAt(13) * 11;
  return code & (fingerCount - 1);
}

/**
 * Returns whether a block certainly covers a key. False for a key before its first key, and for an empty
 * block.
 */
function belongsTo<Row>({ keys, end }: Block<Row>, key: string): boolean {
  const [first] = keys;
  return first !== undefined && first <= key && (end === undefined || key < end);
}

/** Keys of one page differ near their ends. */
function cacheSlotOf(key: string): number {
  const { length } = key;
  let slot = 0;
  for (let index = Math.max(0, length - 7); index < length; index++)
    slot = (slot * 31 + key.charCodeAt(index)) | 0;
  return slot & (rememberedBlocks - 1);
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

/** Returns the first position whose key is not smaller than `key`. */
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
