import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { findReason } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";
import { isDiskFull } from "./disk-space.ts";

/**
 * Creates the directory if necessary, checks that it is usable, and returns its real path. Only the owner can
 * read a new directory (mode 0700), because it contains personal data.
 *
 * @throws {StorageError} `directory_unusable`
 */
export function prepareDirectory(directory: string): string {
  if (typeof directory !== "string" || directory === "") {
    throw new StorageError(
      "directory_unusable",
      'directory is empty. Give the directory that stores the data, such as "./data".',
    );
  }
  const path = resolve(directory);
  try {
    makeDirectory(path);
    if (!statSync(path).isDirectory())
      throw new StorageError("directory_unusable", `${path} is not a directory.`);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (cause) {
    throw directoryError(path, cause);
  }
}

/**
 * Creates a directory and its parents. Node's `recursive` option loops forever if a parent exists but refuses
 * the child (`/proc/data`).
 */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeDirectory(dirname(path));
    makeDirectory(path);
  }
}

/** Returns an error that names the path and says what to do. */
export function directoryError(path: string, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  // Node's error codes are reliable. LMDB's may not be.
  const isFull = typeof code !== "string" && isDiskFull(path);
  const advice = adviceFor(isFull ? "ENOSPC" : code);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StorageError(
    "directory_unusable",
    `The directory ${path} cannot be used: ${advice} (${reason})`,
    { cause, reason: isFull ? "disk_full" : findReason(cause) },
  );
}

function adviceFor(code: unknown): string {
  // Node's errors have names as codes. LMDB's have errno numbers.
  switch (code) {
    case "EEXIST":
    case "ENOTDIR":
    case "EISDIR":
    case 17:
    case 20:
    case 21:
      return "another file has its name or the name of a file in it. Move that file away, or use another directory.";
    case "EACCES":
    case "EPERM":
    case 1:
    case 13:
      return "this process may not read and write it. Give its user access (chown, chmod), or use another directory.";
    case "EROFS":
    case 30:
      return "the file system is read-only. Mount it writable, or use another directory.";
    case "ENOSPC":
    case "EDQUOT":
    case 28:
    case 122:
      return "the disk is full. Free some space, or use a directory on another disk.";
    default:
      return "use a directory on a local disk that this process may write to.";
  }
}
