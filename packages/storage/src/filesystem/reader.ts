import type * as Lmdb from "lmdb";
import { isExpired } from "../commit/expiry.ts";
import { writeKey } from "../keys/key-bytes.ts";
import { decodeKey } from "../keys/key-codec.ts";
import { toKeyRange } from "../keys/key-range.ts";
import type { Entry, Key, KeyPart, ListOptions } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import { openDatabase } from "./database.ts";
import { expiryHeaderBytes, storedExpiry } from "./stored-text.ts";

/** Reads the database on the calling thread. */
export interface Reader {
  get(key: Key): string | undefined;
  getMany(keys: readonly Key[]): (string | undefined)[];
  list(options: ListOptions): Entry[];
  close(): Promise<void>;
}

/** @throws {StorageError} `directory_unusable` */
export function openReader(options: {
  readonly lmdb: typeof Lmdb;
  readonly directory: string;
  readonly now: () => number;
}): Reader {
  const { lmdb, directory, now } = options;

  /** `undefined` for what has expired, which lmdb then takes for absent. The bytes are overwritten by the next read. */
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
        // The ends of a range come encoded; of a key the bytes are written at once.
        writeKey: (key: string | Key, target: Buffer, position: number) =>
          typeof key === "string"
            ? position + target.write(key, position, "latin1")
            : writeKey(key, target, position),
        readKey: (source: Buffer, start: number, end: number) => source.toString("latin1", start, end),
      },
    },
  });

  /** What lmdb takes for a key it only hands to `writeKey`; its type knows no arrays that are not to be changed. */
  const rows: { get(key: string | readonly KeyPart[]): string | undefined } = data;
  let isFresh = false;

  /**
   * Every call sees what was committed before it, by other processes too. Left alone, lmdb keeps one snapshot for a turn of
   * the event loop, in which another process may well report a commit; a new one for each call costs four times the read.
   * What is asked within one round of microtasks shares a snapshot: nobody can have been told of a commit in between.
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
        `The database in ${directory} could not be read: see the cause, then open the store again.`,
        {
          cause,
        },
      );
    }
  }

  return {
    get: (key) => fresh(() => rows.get(key)),
    getMany: (keys) => fresh(() => keys.map((key) => rows.get(key))),
    list: (listOptions) =>
      fresh(() => {
        const { prefix, from, to } = toKeyRange(listOptions);
        const entries: Entry[] = [];
        if (to <= from) return entries;
        const reverse = listOptions.reverse ?? false;
        const range = reverse
          ? { start: to, end: from, reverse, exclusiveStart: true }
          : { start: from, end: to };
        for (const { key, value } of data.getRange(range)) {
          if (value === undefined || typeof key !== "string") continue;
          entries.push({ key: decodeKey(key, prefix), value });
          if (entries.length === listOptions.limit) break;
        }
        return entries;
      }),
    close,
  };
}

function refuseToWrite(): never {
  throw new Error("The reader's handle writes nothing: commits go through the writer's thread.");
}
