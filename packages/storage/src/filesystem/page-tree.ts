import { readSync } from "node:fs";

/** A file of LMDB's that is read without being mapped. */
export interface PagedFile {
  readonly file: number;
  readonly pageSize: number;
  /** How many whole pages it has. */
  readonly pages: number;
}

/** A value in a leaf page, or on pages of its own. */
export interface LeafEntry {
  readonly bytes: number;
  /** Where it begins in the file. */
  readonly position: number;
  /** The page behind its last one. */
  readonly end: number;
}

/** Bytes of a page's own header. */
export const pageHeaderBytes = 24;
/** What a page number says where there is no page. */
export const noPage = 2n ** 64n - 1n;

const isBranch = 0x01;
const isLeaf = 0x02;
const isOnPagesOfItsOwn = 0x01;
/** LMDB's own bound; pages that point at each other, in a file that is damaged, would lead on forever. */
const mostLevels = 32;

/**
 * The entries of a B+ tree, and undefined for each page of it that is not there.
 *
 * @throws RangeError where a page says that a part of it lies outside
 * @see https://github.com/kriszyp/lmdb-js/blob/master/dependencies/lmdb/libraries/liblmdb/mdb.c `MDB_page_header`, `MDB_node`
 */
export function* entriesOf(
  paged: PagedFile,
  root: number,
  levels = mostLevels,
): Generator<LeafEntry | undefined> {
  const page = levels > 0 ? readPage(paged, root) : undefined;
  if (page === undefined) return yield undefined;
  const flags = page.getUint16(18, true);
  const nodes = page.getUint16(20, true) / 2;
  for (let node = 0; node < nodes; node++) {
    const at = pageHeaderBytes + page.getUint16(pageHeaderBytes + node * 2, true);
    const low = page.getUint32(at, true);
    const nodeFlags = page.getUint16(at + 4, true);
    // In a branch page the place of the flags is taken by the upper part of a page number.
    if (flags & isBranch) yield* entriesOf(paged, low + nodeFlags * 2 ** 32, levels - 1);
    else if (flags & isLeaf) {
      const value = at + 8 + page.getUint16(at + 6, true);
      if (nodeFlags & isOnPagesOfItsOwn) {
        const first = Number(page.getBigUint64(value, true));
        const position = first * paged.pageSize + pageHeaderBytes;
        yield { bytes: low, position, end: first + Number(page.getBigUint64(value + 16, true)) };
      } else {
        // As a view would say of what it is asked for behind its end: nobody is to read megabytes for each of a page's parts.
        if (value + low > paged.pageSize) throw new RangeError("a value leads out of its page");
        yield { bytes: low, position: root * paged.pageSize + value, end: root + 1 };
      }
    }
  }
}

function readPage({ file, pageSize, pages }: PagedFile, number: number): DataView | undefined {
  if (number >= pages) return undefined;
  const page = new DataView(new ArrayBuffer(pageSize));
  readSync(file, page, 0, pageSize, number * pageSize);
  // Each bears its own number: anything else was never written, or is no page.
  return page.getBigUint64(0, true) === BigInt(number) ? page : undefined;
}
