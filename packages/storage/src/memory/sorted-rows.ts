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
}

/** Small enough that an insertion costs less than the search. */
const blockSize = 256;
const hintCount = 64;

/**
 * A B+ tree of two levels: sorted blocks under one sorted array of separators. A block contains the keys from
 * its separator to the next one. The first separator is the empty string.
 *
 * A hash map would be larger, and growing it would block the process.
 */
export function createSortedRows<Row>(): SortedRows<Row> {
  const separators: string[] = [""];
  const blocks: Block<Row>[] = [{ keys: [], rows: [] }];
  /** The block in which a key of each table was found last. The next one is often in it, and comparing long keys is slow. */
  const hints = new Uint32Array(hintCount);

  /** Returns the block that covers a key, its number, and the first position whose key is not smaller. */
  function find(key: string) {
    const hint = hintOf(key);
    let index = hints[hint] ?? 0;
    if (!covers(index, key)) {
      const number = lowerBound(separators, key);
      hints[hint] = index = separators[number] === key ? number : number - 1;
    }
    const { keys, rows } = blockAt(index);
    return { index, keys, rows, position: lowerBound(keys, key) };
  }

  function covers(index: number, key: string): boolean {
    const [from, to] = [separators[index], separators[index + 1]];
    return from !== undefined && from <= key && (to === undefined || key < to);
  }

  function blockAt(index: number): Block<Row> {
    const block = blocks[index];
    if (block === undefined) throw new RangeError(`there is no block ${index}`);
    return block;
  }

  return {
    get(key) {
      const { keys, rows, position } = find(key);
      return keys[position] === key ? rows[position] : undefined;
    },

    set(key, row) {
      const { index, keys, rows, position } = find(key);
      if (keys[position] === key) {
        rows[position] = row;
        return;
      }
      if (position === keys.length) {
        keys.push(key);
        rows.push(row);
      } else {
        keys.splice(position, 0, key);
        rows.splice(position, 0, row);
      }
      if (keys.length <= blockSize) return;
      // Keys often arrive in order: then the full block stays full, and a new one begins.
      const from = position === blockSize ? blockSize : blockSize / 2;
      const added = { keys: keys.splice(from), rows: rows.splice(from) };
      blocks.splice(index + 1, 0, added);
      separators.splice(index + 1, 0, added.keys[0] ?? key);
    },

    delete(key) {
      const { index, keys, rows, position } = find(key);
      if (keys[position] !== key) return;
      keys.splice(position, 1);
      rows.splice(position, 1);
      if (keys.length > 0 || blocks.length === 1) return;
      blocks.splice(index, 1);
      separators.splice(index, 1);
      separators[0] = "";
    },

    visit({ from, to, reverse }, visit) {
      if (to <= from) return;
      const step = reverse ? -1 : 1;
      const start = find(reverse ? to : from);
      let position = reverse ? start.position - 1 : start.position;
      for (let index = start.index; index >= 0 && index < blocks.length; index += step) {
        const { keys, rows } = blockAt(index);
        if (index !== start.index) position = reverse ? keys.length - 1 : 0;
        for (; position >= 0 && position < keys.length; position += step) {
          const [key, row] = [keys[position], rows[position]];
          if (key === undefined || row === undefined) continue;
          if (key < from || key >= to || !visit(key, row)) return;
        }
      }
    },
  };
}

/**
 * Tells tables apart by some characters of their names. A key begins with `pNN`, a tag byte and the table, so the name begins at offset
 * 4. The factors make the place of a character count. Two tables that share a hint are slower.
 */
function hintOf(key: string): number {
  const sum = key.charCodeAt(4) + key.charCodeAt(10) * 3 + key.charCodeAt(12) * 5 + key.charCodeAt(13) * 7;
  return sum % hintCount;
}

/** Returns the first position whose key is not smaller than `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  // Most new keys are larger than all others of their block.
  if ((keys[high - 1] ?? "") < key) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
