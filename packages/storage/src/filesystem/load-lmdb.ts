import type * as Lmdb from "lmdb";
import { missingPackage } from "../missing-package.ts";
import { StorageError } from "../storage-error.ts";

/** @throws {StorageError} `missing_dependency` */
export async function loadLmdb(
  load: () => Promise<typeof Lmdb> = () => import("lmdb"),
): Promise<typeof Lmdb> {
  try {
    return await load();
  } catch (cause) {
    if (lacksNativePackage(cause))
      throw new StorageError(
        "missing_dependency",
        'The package "lmdb" is installed, but its native package for this system (for example @lmdb/lmdb-linux-x64) is not. If you use a bundler, mark lmdb and @hookwright/storage as external and deploy @lmdb too (docs/guide/embedding.md). Otherwise install again, with optional dependencies.',
        { cause },
      );
    const more = " It is built for Linux, macOS and Windows. Other systems need a C++ compiler.";
    throw missingPackage({ user: "The filesystem store", name: "lmdb", major: 3, cause, more });
  }
}

/**
 * Finds out whether a store could be opened on this system, without creating one.
 *
 * @throws {StorageError} `missing_dependency`
 * @example
 * await requireLmdb();
 */
export async function requireLmdb(): Promise<void> {
  await loadLmdb();
}

function lacksNativePackage(cause: unknown): boolean {
  return cause instanceof Error && /native build|@lmdb\//u.test(cause.message);
}
