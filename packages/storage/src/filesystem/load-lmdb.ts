import type * as Lmdb from "lmdb";
import { StorageError } from "../storage-error.ts";

/** @throws {StorageError} `missing_dependency` */
export async function loadLmdb(
  load: () => Promise<typeof Lmdb> = () => import("lmdb"),
): Promise<typeof Lmdb> {
  try {
    return await load();
  } catch (cause) {
    if (isWithoutNativePart(cause))
      throw new StorageError(
        "missing_dependency",
        'The package "lmdb" is there, and its native part for this system (@lmdb/lmdb-linux-x64, or the like) is not. A bundler leaves it behind: keep lmdb and @hookwright/storage out of the bundle and carry @lmdb along (docs/guide/embedding.md). Otherwise install again without leaving optional dependencies out.',
        { cause },
      );
    throw new StorageError(
      "missing_dependency",
      'The filesystem store needs the package "lmdb": install it beside @hookwright/storage (npm install lmdb@3, or the like). It is built for Linux, macOS and Windows; on other systems it needs a C++ compiler.',
      { cause },
    );
  }
}

function isWithoutNativePart(cause: unknown): boolean {
  return cause instanceof Error && /native build|@lmdb\//u.test(cause.message);
}
