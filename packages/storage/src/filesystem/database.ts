import type * as Lmdb from "lmdb";
import { join } from "node:path";
import process from "node:process";
import { StorageError } from "../storage-error.ts";
import { createFile, lockFileBytes } from "./create-file.ts";
import { damageOf } from "./damage-of.ts";
import { dataFile, directoryError, gateFile, lockFileOf } from "./directory.ts";

/** An open LMDB environment and the gate that guards it. */
export interface Database<Value, LmdbKey extends Lmdb.Key> {
  readonly data: Lmdb.RootDatabase<Value, LmdbKey>;
  /** Runs a write transaction and flushes it to the disk. If the action throws, the transaction is undone. */
  write(action: () => void): void;
  close(): Promise<void>;
}

const common = {
  // The path names a file. By default, lmdb decides by whether it contains a dot.
  noSubdir: true,
  // Only the owner may read it, independent of the umask and the mode of the directory.
  permissionsMode: 0o600,
  // Commits are flushed inside the transaction, so everything that is visible is durable.
  overlappingSync: false,
} as const;

/**
 * The reserved address space, 1 TiB. It uses neither memory nor disk. Growing a map while others read it is
 * risky in LMDB.
 */
const mapBytes = 2 ** 40;

/**
 * Opens the database of a directory. Other processes may have it open.
 *
 * `mdb_env_open` writes back the last transaction number that it read, so it can undo a commit that another
 * process makes meanwhile. Therefore a second, empty environment serves as a gate. Its write lock is held
 * during opening and during each write. The kernel releases it if the process dies.
 *
 * @param options.directory must have passed `assertUsableFiles`
 * @throws {StorageError} `directory_unusable`
 */
export function openDatabase<Value, LmdbKey extends Lmdb.Key>(options: {
  readonly lmdb: typeof Lmdb;
  readonly directory: string;
  readonly codec: Lmdb.DatabaseOptions & Pick<Lmdb.RootDatabaseOptions, "encoder" | "keyEncoder">;
}): Database<Value, LmdbKey> {
  const { lmdb, directory, codec } = options;
  let gate: Lmdb.RootDatabase | undefined;
  const gatePath = join(directory, gateFile);
  const dataPath = join(directory, dataFile);
  try {
    for (const path of [gatePath, dataPath]) {
      createFile(lockFileOf(path), lockFileBytes);
      // LMDB makes an empty file a database.
      createFile(path);
    }
    assertUndamaged(
      gatePath,
      "Remove it while no process has the directory open. It contains no data and is created again.",
    );
    const held = lmdb.open({ ...common, path: gatePath, mapSize: 2 ** 20 });
    gate = held;
    const data = held.transactionSync(() => {
      assertUndamaged(dataPath, "Its data cannot be read. Replace its directory with a backup.");
      return lmdb.open<Value, LmdbKey>({ ...common, ...codec, path: dataPath, mapSize: mapBytes });
    });
    return {
      data,
      write(action) {
        held.transactionSync(() => data.transactionSync(action));
      },
      async close() {
        await data.close();
        await held.close();
      },
    };
  } catch (cause) {
    void gate?.close();
    throw directoryError(directory, cause);
  }
}

/**
 * LMDB tells processes apart by their numbers, and the first process of each container has the number 1. A read
 * fails while a process with the same number has the directory open.
 */
export function sharedNumberError(directory: string): StorageError {
  return new StorageError(
    "in_use",
    `The directory ${directory} is in use by another container, whose process has the number ${process.pid} too. Stop that container first. To use the directory in both, let them share process numbers (docker run --pid=container:NAME), or use Redis or PostgreSQL.`,
  );
}

/** @throws {StorageError} `directory_unusable` */
function assertUndamaged(path: string, advice: string): void {
  const damage = damageOf(path);
  if (damage !== undefined)
    throw new StorageError("directory_unusable", `The file ${path} ${damage}. ${advice}`);
}
