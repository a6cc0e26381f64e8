/** A set of encoded keys in order. */
export interface SortedKeys {
  /** Adds a key that is not there yet. */
  insert(key: string): void;
  /** Removes a key that is there. */
  delete(key: string): void;
  /** Visits the keys from `from` (included) to `to` (not included), until `visit` answers false. Nothing may change meanwhile. */
  visit(
    range: { readonly from: string; readonly to: string; readonly reverse: boolean },
    visit: (key: string) => boolean,
  ): void;
}

/** Small enough that shifting half of it costs less than finding the place. */
const blockSize = 256;

/**
 * Sorted blocks under one sorted array of separators: a B+ tree of two levels. Below some ten million keys a third level
 * would save less than it costs, since a block is split but once in 128 insertions.
 *
 * A block holds the keys from its separator up to the next one. The first separator is the empty string; a separator may
 * outlive the key it was taken from.
 */
export function createSortedKeys(): SortedKeys {
  const separators: string[] = [""];
  const blocks: string[][] = [[]];

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

  function addBlock(index: number, block: string[]): void {
    blocks.splice(index, 0, block);
    separators.splice(index, 0, block[0] ?? "");
  }

  return {
    insert(key) {
      const index = blockIndexOf(key);
      const block = blocks[index] ?? [];
      const last = block[block.length - 1];
      if (last === undefined || last < key) {
        // Keys mostly arrive in order: a full block is left full and a new one begun, not split into halves.
        if (block.length < blockSize) block.push(key);
        else addBlock(index + 1, [key]);
        return;
      }
      block.splice(lowerBound(block, key), 0, key);
      if (block.length > blockSize) addBlock(index + 1, block.splice(blockSize / 2));
    },

    delete(key) {
      const index = blockIndexOf(key);
      const block = blocks[index] ?? [];
      const position = lowerBound(block, key);
      if (block[position] !== key) return;
      if (position === 0) block.shift();
      else block.splice(position, 1);
      if (block.length > 0 || blocks.length === 1) return;
      blocks.splice(index, 1);
      separators.splice(index, 1);
      separators[0] = "";
    },

    visit({ from, to, reverse }, visit) {
      if (to <= from) return;
      if (reverse) {
        for (let index = blockIndexOf(to); index >= 0; index--) {
          const block = blocks[index] ?? [];
          for (let position = lowerBound(block, to) - 1; position >= 0; position--) {
            const key = block[position] ?? "";
            if (key < from || !visit(key)) return;
          }
        }
        return;
      }
      for (let index = blockIndexOf(from); index < blocks.length; index++) {
        const block = blocks[index] ?? [];
        for (let position = lowerBound(block, from); position < block.length; position++) {
          const key = block[position] ?? "";
          if (key >= to || !visit(key)) return;
        }
      }
    },
  };
}

/** The first position whose key is not below `key`. */
function lowerBound(block: readonly string[], key: string): number {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((block[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
