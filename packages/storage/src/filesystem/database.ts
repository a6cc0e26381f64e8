import type * as Lmdb from "lmdb";
import { join } from "node:path";
import { StorageError } from "../storage-error.ts";
import { damageOf } from "./damaged-file.ts";
import { directoryError } from "./directory.ts";
import { makeLockFile } from "./lock-file.ts";

/** Where the data is. The number is that of the format. */
export const dataFile = "store-1.mdb";

/** An open LMDB environment of one directory, and the gate before it. */
export interface Database<Value, LmdbKey extends Lmdb.Key> {
  readonly data: Lmdb.RootDatabase<Value, LmdbKey>;
  /** Runs a write transaction; an error thrown inside undoes it. Flushed to disk when this returns. */
  write(action: () => void): void;
  close(): Promise<void>;
}

const common = {
  // The path names a file: lmdb would otherwise judge by whether it contains a dot.
  noSubdir: true,
  // Read by nobody but the owner, whatever the umask and the directory's mode.
  permissionsMode: 0o600,
  // Commits are flushed within the transaction, so that what is visible is durable. The writer has a thread of its own
  // which may wait; overlapping flushes gained nothing there.
  overlappingSync: false,
} as const;

/**
 * Address space reserved for the map, 1 TiB; neither memory nor disk. Growing a map while other threads and processes read
 * through it is the part of LMDB least worth relying on.
 */
const mapBytes = 2 ** 40;

/**
 * Opens the database of a directory, in this process and beside others.
 *
 * An LMDB environment may not be opened while another process writes to it: `mdb_env_open` publishes the number of the last
 * transaction which it read from the file a moment before, and so takes a commit back that happened in between (seen with
 * lmdb 3.5.6: lost commits within seconds, then a corrupt file). Hence the gate, a second environment that never holds
 * anything: its write lock, which the kernel releases when a process dies, is held while the real one is opened, and for
 * every write. That costs 0.6 µs for each transaction.
 *
 * @throws {StorageError} `directory_unusable`
 */
export function openDatabase<Value, LmdbKey extends Lmdb.Key>(options: {
  readonly lmdb: typeof Lmdb;
  readonly directory: string;
  readonly codec: Lmdb.DatabaseOptions & Pick<Lmdb.RootDatabaseOptions, "encoder" | "keyEncoder">;
}): Database<Value, LmdbKey> {
  const { lmdb, directory, codec } = options;
  let gate: Lmdb.RootDatabase | undefined;
  const gatePath = join(directory, "gate.mdb");
  const dataPath = join(directory, dataFile);
  try {
    for (const path of [gatePath, dataPath]) makeLockFile(`${path}-lock`);
    expectWhole(
      gatePath,
      "Remove it while nothing has the directory open: it holds no data, and is made anew.",
    );
    const held = lmdb.open({ ...common, path: gatePath, mapSize: 2 ** 20 });
    gate = held;
    const data = held.transactionSync(() => {
      expectWhole(dataPath, "Put a backup in the place of its directory: what it holds cannot be read.");
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

/** @throws {StorageError} `directory_unusable` */
function expectWhole(path: string, advice: string): void {
  const damage = damageOf(path);
  if (damage !== undefined)
    throw new StorageError("directory_unusable", `The file ${path} ${damage}. ${advice}`);
}
