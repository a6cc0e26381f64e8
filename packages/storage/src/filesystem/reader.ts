import type * as Lmdb from "lmdb";
import { isExpired } from "../commit/expiry.ts";
import { writeKey } from "../keys/key-bytes.ts";
import { listEntries, type ScannedRange } from "../keys/list-entries.ts";
import { toKeyRange } from "../keys/key-range.ts";
import type { CountOptions, Entry, Key, KeyPart, ListOptions } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import { openDatabase } from "./database.ts";
import { expiryHeaderBytes, storedExpiry } from "./stored-text.ts";

/** Reads the database on the calling thread. */
export interface Reader {
  get(key: Key): string | undefined;
  getMany(keys: readonly Key[]): (string | undefined)[];
  list(options: ListOptions): Entry[];
  count(options: CountOptions): number;
  close(): Promise<void>;
}

/** @throws {StorageError} `directory_unusable` */
export function openReader(options: {
  readonly lmdb: typeof Lmdb;
  readonly directory: string;
  readonly now: () => number;
}): Reader {
  const { lmdb, directory, now } = options;

  /**
   * Returns `undefined` for an expired text, which lmdb treats as absent. The next read overwrites the bytes.
   */
  function decode(bytes: Uint8Array): string | undefined {
    const expiresAt = storedExpiry(bytes);
    if (expiresAt !== undefined && isExpired(expiresAt, now())) return undefined;
    const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return buffer.toString("utf8", expiresAt === undefined ? 0 : expiryHeaderBytes, bytes.length);
  }

  const { data, close } = openDatabase<string | undefined, string | KeyPart[]>({
    lmdb,
    directory,
    codec: {
      encoder: { encode: refuseToWrite, decode },
      keyEncoder: {
        // Range bounds are already encoded. Keys are encoded into the target.
        writeKey: (key: string | Key, target: Buffer, position: number) =>
          typeof key === "string"
            ? position + target.write(key, position, "latin1")
            : writeKey(key, target, position),
        readKey: (source: Buffer, start: number, end: number) => source.toString("latin1", start, end),
      },
    },
  });

  /** lmdb passes keys to `writeKey` unchanged. Its type does not accept read-only arrays. */
  const rows: { get(key: string | readonly KeyPart[]): string | undefined } = data;
  let isFresh = false;

  /**
   * Runs a read that sees all earlier commits, also of other processes. By default, lmdb keeps one snapshot
   * for an iteration of the event loop, which is too long. Calls within one round of microtasks share a
   * snapshot, because no notification can arrive between them.
   */
  function fresh<Result>(read: () => Result): Result {
    try {
      if (!isFresh) {
        data.resetReadTxn();
        isFresh = true;
        queueMicrotask(() => (isFresh = false));
      }
      return read();
    } catch (cause) {
      if (cause instanceof StorageError) throw cause;
      throw new StorageError(
        "unavailable",
        `The database in ${directory} could not be read. See the cause, then open the store again.`,
        {
          cause,
        },
      );
    }
  }

  function scan(
    { from, to, reverse }: ScannedRange,
    visit: (encoded: string, value: string) => boolean,
  ): void {
    const range = reverse
      ? { start: to, end: from, reverse, exclusiveStart: true }
      : { start: from, end: to };
    for (const { key, value } of data.getRange(range)) {
      if (value !== undefined && typeof key === "string" && !visit(key, value)) return;
    }
  }

  /** lmdb counts to the end of a range, however far that is. So the end is searched first, in growing steps. */
  function count({ prefix, limit }: CountOptions): number {
    const { from: start, to: end } = toKeyRange({ prefix, limit });
    const isLongerThan = (offset: number): boolean =>
      [...data.getKeys({ start, end, offset, limit: 1 })].length > 0;
    for (let step = 64; step < limit; step *= 8)
      if (!isLongerThan(step)) return data.getKeysCount({ start, end });
    return isLongerThan(limit) ? limit : data.getKeysCount({ start, end });
  }

  return {
    get: (key) => fresh(() => rows.get(key)),
    getMany: (keys) => fresh(() => keys.map((key) => rows.get(key))),
    list: (listOptions) => fresh(() => listEntries(listOptions, scan)),
    count: (options) => fresh(() => count(options)),
    close,
  };
}

function refuseToWrite(): never {
  throw new Error("The reader does not write. Commits go through the writer thread.");
}
