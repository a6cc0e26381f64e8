import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isMissingDirectory } from "../storage-location.ts";
import type { StorageLocation } from "../storage-location.ts";

/** Why the checks of the data are skipped. Undefined: they are not. */
export function findNoStorage(location: StorageLocation): string | undefined {
  if (location.type === "memory") return "the data in memory belongs to the server process";
  if (location.type === "unstorage")
    return "only the server process can open an unstorage storage. Its /readyz checks it";
  return location.type === "file" && isMissingDirectory(location) && mayCreate(resolve(location.directory))
    ? `the directory ${location.directory} does not exist. A server creates it at its first start`
    : undefined;
}

/** False: opening the storage says why. */
function mayCreate(path: string): boolean {
  const parent = dirname(path);
  if (!existsSync(parent)) return mayCreate(parent);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
