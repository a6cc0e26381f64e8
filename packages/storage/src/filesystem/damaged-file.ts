import { closeSync, openSync, readSync, statSync } from "node:fs";
import { endianness } from "node:os";

/**
 * Why LMDB must not open a file, or undefined. It maps the file and follows its page numbers without a doubt: of a file that was
 * copied in part, or is something else, the first read would end the process by a signal, without a word.
 *
 * Whether the two pages that tell of all others are such, and the trees they name begin within the file. A file whose end alone is
 * missing passes: the last pages that LMDB counts it may never have written, so their number proves nothing. The file must not be
 * written meanwhile.
 *
 * @see https://github.com/kriszyp/lmdb-js/blob/master/dependencies/lmdb/libraries/liblmdb/mdb.c `MDB_meta`
 */
export function damageOf(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  // One that is not there yet, or empty, is made.
  if (size === 0 || endianness() !== "LE") return undefined;
  const first = readMeta(path, 0);
  if (first === undefined) return "is not one of LMDB's";
  const metas = [first, readMeta(path, first.pageSize)].filter((meta) => meta !== undefined);
  const [latest = first] = metas.toSorted((one, other) => (one.transaction > other.transaction ? -1 : 1));
  const pages = BigInt(Math.floor(size / first.pageSize));
  if (latest.roots.every((root) => root === noPage || root < pages)) return undefined;
  return `is cut off: it has ${size} bytes, and its data begins behind them`;
}

/** What a page number says where there is no page. */
const noPage = 2n ** 64n - 1n;
/** Bytes of a page's own header, and of what is read behind it. */
const header = 24;
const metaBytes = 136;
const magic = 0xbeef_c0de;

interface Meta {
  readonly pageSize: number;
  readonly roots: readonly bigint[];
  readonly transaction: bigint;
}

function readMeta(path: string, position: number): Meta | undefined {
  const bytes = new DataView(new ArrayBuffer(header + metaBytes));
  const file = openSync(path, "r");
  try {
    if (readSync(file, bytes, 0, bytes.byteLength, position) < bytes.byteLength) return undefined;
  } finally {
    closeSync(file);
  }
  const pageSize = bytes.getUint32(header + 24, true);
  const isPageSize = pageSize >= 256 && pageSize <= 65_536 && Number.isInteger(Math.log2(pageSize));
  if (bytes.getUint32(header, true) !== magic || !isPageSize) return undefined;
  return {
    pageSize,
    roots: [header + 64, header + 112].map((at) => bytes.getBigUint64(at, true)),
    transaction: bytes.getBigUint64(header + 128, true),
  };
}
