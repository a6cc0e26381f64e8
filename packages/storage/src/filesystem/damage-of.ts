import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { endianness } from "node:os";
import { entriesOf, noPage, pageHeaderBytes, type LeafEntry, type PagedFile } from "./page-tree.ts";

/**
 * Returns why LMDB must not open a file, or `undefined` if it may. LMDB maps the file and trusts its page
 * numbers, so reading a truncated file would kill the process with a signal.
 *
 * Checks both meta pages, and that every page in use lies within the file. The file must not be written
 * meanwhile.
 *
 * @see https://github.com/kriszyp/lmdb-js/blob/master/dependencies/lmdb/libraries/liblmdb/mdb.c `MDB_meta`
 */
export function damageOf(path: string): string | undefined {
  // LMDB creates a missing file.
  if (statSync(path, { throwIfNoEntry: false }) === undefined || endianness() !== "LE") return undefined;
  const file = openSync(path, "r");
  try {
    return damageIn(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function damageIn(file: number, size: number): string | undefined {
  // LMDB initialises an empty file.
  if (size === 0) return undefined;
  const first = readMeta(file, 0);
  if (first === undefined) return "is not an LMDB file";
  const metas = [first, readMeta(file, first.pageSize)].filter((meta) => meta !== undefined);
  const [latest = first] = metas.toSorted((one, other) => (one.transaction > other.transaction ? -1 : 1));
  const pages = Math.floor(size / latest.pageSize);
  const truncated = `is truncated: it has ${size} bytes, and some of its data is missing`;
  // LMDB creates and reads both meta pages. In a copy the first one describes an empty database.
  if (pages < 2) return truncated;
  if (latest.roots.some((root) => root !== noPage && root >= pages)) return truncated;
  // True for nearly all files, and sufficient.
  if (latest.lastPage < pages) return undefined;
  const paged: PagedFile = { file, pageSize: latest.pageSize, pages };
  try {
    return lacksPages(paged, latest) ? truncated : undefined;
  } catch (error) {
    // A page refers to positions outside of itself.
    if (error instanceof RangeError) return `${truncated}; the rest is damaged too`;
    throw error;
  }
}

const metaBytes = 136;
const magic = 0xbeef_c0de;

interface Meta {
  readonly pageSize: number;
  /** The root pages of the free list and of the data. */
  readonly roots: readonly [bigint, bigint];
  /** The highest page number that was ever allocated. Later pages are unused. */
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

/**
 * Returns whether an LMDB file that is shorter than its page count lacks a page that is in use.
 *
 * A short file can be intact: pages that one transaction allocated and freed are counted but never written.
 * They are in the free list, which is short and checked first. The file is rejected only if a page in use is
 * missing.
 */
function lacksPages(
  paged: PagedFile,
  { roots: [freeRoot, dataRoot], lastPage }: { roots: readonly [bigint, bigint]; lastPage: bigint },
): boolean {
  let free = 0;
  for (const entry of freeRoot === noPage ? [] : entriesOf(paged, Number(freeRoot))) {
    if (entry === undefined || entry.end > paged.pages) return true;
    free += countBeyondEnd(paged, entry);
  }
  if (BigInt(paged.pages + free) === lastPage + 1n) return false;
  for (const entry of dataRoot === noPage ? [] : entriesOf(paged, Number(dataRoot))) {
    if (entry === undefined || entry.end > paged.pages) return true;
  }
  return false;
}

/** Returns how many pages beyond the end of the file a free list entry names. */
function countBeyondEnd({ file, pages }: PagedFile, { bytes, position }: LeafEntry): number {
  const list = new BigInt64Array(Math.floor(bytes / 8));
  readSync(file, list, 0, list.byteLength, position);
  const [length = 0n] = list;
  let beyond = 0;
  let runLength = 1;
  for (const number of list.subarray(1, Number(length) + 1)) {
    // 0 is a gap. A negative number is the length of the run that starts at the next number.
    if (number < 0n) runLength = Number(-number);
    if (number <= 0n) continue;
    beyond += Math.max(0, Number(number) + runLength - Math.max(Number(number), pages));
    runLength = 1;
  }
  return beyond;
}
