import type * as Lmdb from "lmdb";
import { StorageError } from "../storage-error.ts";

/** @throws {StorageError} `missing_dependency` */
export async function loadLmdb(
  load: () => Promise<typeof Lmdb> = () => import("lmdb"),
): Promise<typeof Lmdb> {
  try {
    return await load();
  } catch (cause) {
    throw new StorageError(
      "missing_dependency",
      'The filesystem store needs the package "lmdb": install it beside @hookwright/storage (npm install lmdb@3, or the like). It is built for Linux, macOS and Windows; on other systems it needs a C++ compiler.',
      { cause },
    );
  }
}
