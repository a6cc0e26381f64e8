import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { endianness } from "node:os";
import { lacksPages } from "./lacks-pages.ts";
import { noPage, pageHeaderBytes, type PagedFile } from "./page-tree.ts";

/**
 * Why LMDB must not open a file, or undefined. It maps the file and follows its page numbers without a doubt: of a file that was
 * copied in part, or is something else, a read would end the process by a signal, without a word.
 *
 * Whether the two pages that tell of all others are such, and every page in use lies within the file. The file must not be
 * written meanwhile.
 *
 * @see https://github.com/kriszyp/lmdb-js/blob/master/dependencies/lmdb/libraries/liblmdb/mdb.c `MDB_meta`
 */
export function damageOf(path: string): string | undefined {
  // One that is not there yet is made.
  if (statSync(path, { throwIfNoEntry: false }) === undefined || endianness() !== "LE") return undefined;
  const file = openSync(path, "r");
  try {
    return damageIn(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function damageIn(file: number, size: number): string | undefined {
  // One that is empty is filled.
  if (size === 0) return undefined;
  const first = readMeta(file, 0);
  if (first === undefined) return "is not one of LMDB's";
  const metas = [first, readMeta(file, first.pageSize)].filter((meta) => meta !== undefined);
  const [latest = first] = metas.toSorted((one, other) => (one.transaction > other.transaction ? -1 : 1));
  const pages = Math.floor(size / latest.pageSize);
  const cutOff = `is cut off: it has ${size} bytes, and some of its data lay behind them`;
  if (latest.roots.some((root) => root !== noPage && root >= pages)) return cutOff;
  // So it is with nearly all files, and says enough.
  if (latest.lastPage < pages) return undefined;
  const paged: PagedFile = { file, pageSize: latest.pageSize, pages };
  try {
    return lacksPages(paged, latest) ? cutOff : undefined;
  } catch (error) {
    // What a page says of its own parts leads out of it.
    if (error instanceof RangeError) return `${cutOff}; what is left is damaged as well`;
    throw error;
  }
}

const metaBytes = 136;
const magic = 0xbeef_c0de;

interface Meta {
  readonly pageSize: number;
  /** Of the tree of free pages, and of that of the data. */
  readonly roots: readonly [bigint, bigint];
  /** The last one that was ever counted; what lies behind it is of no use. */
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

function readMeta(file: number, position: number): Meta | undefined {
  const bytes = new DataView(new ArrayBuffer(pageHeaderBytes + metaBytes));
  if (readSync(file, bytes, 0, bytes.byteLength, position) < bytes.byteLength) return undefined;
  const pageSize = bytes.getUint32(pageHeaderBytes + 24, true);
  const isPageSize = pageSize >= 256 && pageSize <= 65_536 && Number.isInteger(Math.log2(pageSize));
  if (bytes.getUint32(pageHeaderBytes, true) !== magic || !isPageSize) return undefined;
  const numberAt = (at: number): bigint => bytes.getBigUint64(pageHeaderBytes + at, true);
  return {
    pageSize,
    roots: [numberAt(64), numberAt(112)],
    lastPage: numberAt(120),
    transaction: numberAt(128),
  };
}
