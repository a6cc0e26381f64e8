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
  /** The separator of the next block. `undefined` for the last one. */
  end: string | undefined;
}

/** The first position of a block whose key is not smaller than a key. */
interface Place<Row> {
  block: Block<Row>;
  position: number;
  /** The key that was inserted last. */
  newest: string;
}

/** Small enough that an insertion costs less than the search. */
const blockSize = 256;
const placeCount = 64;

/**
 * A B+ tree of two levels: sorted blocks under one sorted array of separators. A block contains the keys from
 * its separator to the next one. The first separator is the empty string.
 *
 * A hash map would be larger, and growing it would block the process.
 */
export function createSortedRows<Row>(): SortedRows<Row> {
  const separators: string[] = [""];
  const first: Block<Row> = { keys: [], rows: [], end: undefined };
  const blocks: Block<Row>[] = [first];
  /** Where a key of each table was found last. The next one is often beside it, and comparing long keys is slow. */
  const places = Array.from({ length: placeCount }, (): Place<Row> => ({
    block: first,
    position: 0,
    newest: "",
  }));

  function find(key: string): Place<Row> {
    const place = places[placeOf(key)];
    if (place === undefined) throw new RangeError("there is no such place");
    if (reach(place, key)) return place;
    if (!covers(place.block, key)) place.block = blockAt(blockIndexOf(key));
    place.position = lowerBound(place.block.keys, key);
    return place;
  }

  function blockIndexOf(key: string): number {
    const index = lowerBound(separators, key);
    return separators[index] === key ? index : index - 1;
  }

  function blockAt(index: number): Block<Row> {
    const block = blocks[index];
    if (block === undefined) throw new RangeError(`there is no block ${index}`);
    return block;
  }

  /** Moves the rows from a position on into a new block. */
  function split(block: Block<Row>, position: number): void {
    const added = { keys: block.keys.splice(position), rows: block.rows.splice(position), end: block.end };
    const separator = added.keys[0] ?? "";
    const index = blockIndexOf(separator) + 1;
    block.end = separator;
    blocks.splice(index, 0, added);
    separators.splice(index, 0, separator);
  }

  return {
    get(key) {
      const { block, position } = find(key);
      return block.keys[position] === key ? block.rows[position] : undefined;
    },

    set(key, row) {
      const place = find(key);
      const { block, position, newest } = place;
      const { keys, rows } = block;
      if (keys[position] === key) {
        rows[position] = row;
        return;
      }
      place.newest = key;
      if (position === keys.length) {
        keys.push(key);
        rows.push(row);
      } else {
        keys.splice(position, 0, key);
        rows.splice(position, 0, row);
      }
      if (keys.length <= blockSize) return;
      // Keys often arrive in order. At the end of a full block, the next ones then fill a new block.
      if (position === blockSize) split(block, position);
      // Behind the newest key, this one becomes the last of its block, so the next one is added at the end.
      else split(block, keys[position - 1] === newest ? position + 1 : blockSize / 2);
    },

    delete(key) {
      const { block, position } = find(key);
      const { keys, rows } = block;
      if (keys[position] !== key) return;
      keys.splice(position, 1);
      rows.splice(position, 1);
      if (keys.length > 0 || blocks.length === 1) return;
      const index = blocks.indexOf(block);
      blocks.splice(index, 1);
      separators.splice(index, 1);
      separators[0] = "";
      if (index > 0) blockAt(index - 1).end = block.end;
    },

    visit({ from, to, reverse }, visit) {
      if (to <= from) return;
      const step = reverse ? -1 : 1;
      const start = blockIndexOf(reverse ? to : from);
      let position = lowerBound(blockAt(start).keys, reverse ? to : from) - (reverse ? 1 : 0);
      for (let index = start; index >= 0 && index < blocks.length; index += step) {
        const { keys, rows } = blockAt(index);
        if (index !== start) position = reverse ? keys.length - 1 : 0;
        for (; position >= 0 && position < keys.length; position += step) {
          const [key, row] = [keys[position], rows[position]];
          if (key === undefined || row === undefined) continue;
          if (key < from || key >= to || !visit(key, row)) return;
        }
      }
    },
  };
}

/** Moves a place to a key if it is there, or the next one. Returns whether the place is now that of the key. */
function reach<Row>(place: Place<Row>, key: string): boolean {
  const { keys, end } = place.block;
  const found = keys[place.position];
  if (found === key) return true;
  if (found !== undefined && found < key) place.position += 1;
  else if (place.position === 0 || (keys[place.position - 1] ?? key) >= key) return false;
  const next = keys[place.position];
  return next === undefined ? end === undefined || key < end : key <= next;
}

/** Whether a key certainly belongs to a block. An empty block is not in the tree any more, or the only one. */
function covers<Row>({ keys, end }: Block<Row>, key: string): boolean {
  const first = keys[0];
  return first !== undefined && first <= key && (end === undefined || key < end);
}

/**
 * Tells tables apart by some characters of their names. A key begins with `pNN`, a tag byte and the table, so the name begins at offset
 * 4. The factors make the place of a character count. Two tables that share a place are slower.
 */
function placeOf(key: string): number {
  const sum = key.charCodeAt(4) + key.charCodeAt(10) * 3 + key.charCodeAt(12) * 5 + key.charCodeAt(13) * 7;
  return sum & (placeCount - 1);
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
