import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { findReason } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";
import { isDiskFull } from "./disk-room.ts";

/**
 * Makes sure that the directory is there and can be used, and answers its real path. A new one is readable by its owner
 * alone (mode 0700), since it holds other people's personal data.
 *
 * @throws {StorageError} `directory_unusable`
 */
export function prepareDirectory(directory: string): string {
  if (typeof directory !== "string" || directory === "") {
    throw new StorageError(
      "directory_unusable",
      'directory is empty: name the directory in which to keep the data, such as "./data".',
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
 * With what leads to it. Not by Node's `recursive`, which never returns where a parent is there and yet says that the child
 * cannot be (`/proc/data`).
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

/** Names the path and what to do about it. */
export function directoryError(path: string, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  // Node's own codes say what is wrong; LMDB's may not.
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
  // Node's errors have names for codes, LMDB's have the numbers of errno.
  switch (code) {
    case "EEXIST":
    case "ENOTDIR":
    case "EISDIR":
    case 17:
    case 20:
    case 21:
      return "something else bears its name or that of a file in it. Move that away, or name another directory.";
    case "EACCES":
    case "EPERM":
    case 1:
    case 13:
      return "this process may not read and write there. Give its user the directory (chown, chmod), or name another one.";
    case "EROFS":
    case 30:
      return "the file system is read-only. Mount it writable, or name another directory.";
    case "ENOSPC":
    case "EDQUOT":
    case 28:
    case 122:
      return "there is no room left. Free some space, or name a directory on another disk.";
    default:
      return "name a directory on a local disk that this process may write to.";
  }
}
