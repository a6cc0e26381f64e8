import { readSync } from "node:fs";
import { entriesOf, noPage, type LeafEntry, type PagedFile } from "./page-tree.ts";

/**
 * Whether a file of LMDB's that has fewer pages than it counts lacks one that is in use.
 *
 * It need not: pages that one transaction took and gave back are counted, and never written (a commit that sets many rows and deletes
 * them again can leave thousands of such). They are in its list of free pages, which is asked first because it is short. A page
 * may have been lost even to that, so nothing is refused before a page in use is found to be missing.
 */
export function lacksPages(
  paged: PagedFile,
  { roots: [freeRoot, dataRoot], lastPage }: { roots: readonly [bigint, bigint]; lastPage: bigint },
): boolean {
  let free = 0;
  for (const entry of freeRoot === noPage ? [] : entriesOf(paged, Number(freeRoot))) {
    if (entry === undefined || entry.end > paged.pages) return true;
    free += countBehind(paged, entry);
  }
  if (BigInt(paged.pages + free) === lastPage + 1n) return false;
  for (const entry of dataRoot === noPage ? [] : entriesOf(paged, Number(dataRoot))) {
    if (entry === undefined || entry.end > paged.pages) return true;
  }
  return false;
}

/** How many pages behind the end of the file an entry of the list of free pages names. */
function countBehind({ file, pages }: PagedFile, { bytes, position }: LeafEntry): number {
  const list = new BigInt64Array(Math.floor(bytes / 8));
  readSync(file, list, 0, list.byteLength, position);
  const [length = 0n] = list;
  let behind = 0;
  let together = 1;
  for (const number of list.subarray(1, Number(length) + 1)) {
    // 0 is a gap; below 0 it says how many pages begin at the number that follows.
    if (number < 0n) together = Number(-number);
    if (number <= 0n) continue;
    behind += Math.max(0, Number(number) + together - Math.max(Number(number), pages));
    together = 1;
  }
  return behind;
}
