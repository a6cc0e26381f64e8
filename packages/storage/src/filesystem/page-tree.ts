import { readSync } from "node:fs";

/** An LMDB file that is read without a memory map. */
export interface PagedFile {
  readonly file: number;
  readonly pageSize: number;
  /** The number of complete pages. */
  readonly pages: number;
}

/** A value in a leaf page or on overflow pages. */
export interface LeafEntry {
  readonly bytes: number;
  /** Its position in the file. */
  readonly position: number;
  /** The number of the page after its last one. */
  readonly end: number;
}

/** The size of a page header. */
export const pageHeaderBytes = 24;
/** The page number that means "no page". */
export const noPage = 2n ** 64n - 1n;

const isBranch = 0x01;
const isLeaf = 0x02;
const hasOverflowPages = 0x01;
/** LMDB's own limit. It prevents an endless loop if pages of a damaged file point at each other. */
const maxLevels = 32;

/**
 * Yields the entries of a B+ tree, and `undefined` for each page that is missing.
 *
 * @throws RangeError if a page refers to a position outside of itself
 * @see https://github.com/kriszyp/lmdb-js/blob/master/dependencies/lmdb/libraries/liblmdb/mdb.c
 *   `MDB_page_header`, `MDB_node`
 */
export function* entriesOf(
  paged: PagedFile,
  root: number,
  levels = maxLevels,
): Generator<LeafEntry | undefined> {
  const page = levels > 0 ? readPage(paged, root) : undefined;
  if (page === undefined) return yield undefined;
  const flags = page.getUint16(18, true);
  const nodes = page.getUint16(20, true) / 2;
  for (let node = 0; node < nodes; node++) {
    const at = pageHeaderBytes + page.getUint16(pageHeaderBytes + node * 2, true);
    const low = page.getUint32(at, true);
    const nodeFlags = page.getUint16(at + 4, true);
    // In a branch page the flags field contains the upper bits of a page number.
    if (flags & isBranch) yield* entriesOf(paged, low + nodeFlags * 2 ** 32, levels - 1);
    else if (flags & isLeaf) {
      const value = at + 8 + page.getUint16(at + 6, true);
      if (nodeFlags & hasOverflowPages) {
        const first = Number(page.getBigUint64(value, true));
        const position = first * paged.pageSize + pageHeaderBytes;
        yield { bytes: low, position, end: first + Number(page.getBigUint64(value + 16, true)) };
      } else {
        // Otherwise a damaged page could make the caller read megabytes for each entry.
        if (value + low > paged.pageSize) throw new RangeError("a value extends beyond its page");
        yield { bytes: low, position: root * paged.pageSize + value, end: root + 1 };
      }
    }
  }
}

function readPage({ file, pageSize, pages }: PagedFile, number: number): DataView | undefined {
  if (number >= pages) return undefined;
  const page = new DataView(new ArrayBuffer(pageSize));
  readSync(file, page, 0, pageSize, number * pageSize);
  // Each page stores its own number. Otherwise it was never written or is damaged.
  return page.getBigUint64(0, true) === BigInt(number) ? page : undefined;
}
