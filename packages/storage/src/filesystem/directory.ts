import { accessSync, constants, existsSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findReason } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";
import { isDiskFull } from "./disk-space.ts";
import { explainFileAccess, explainRefusedMkdir, giveToOwner } from "./file-access.ts";

const dataFileVersion = 1;

/** The name of the data file. Its number is the version of the format. */
export const dataFile = `store-${dataFileVersion}.mdb`;
export const gateFile = "gate.mdb";
/** The name of the lock file of a data file. LMDB appends it. */
export const lockFileOf = (file: string): string => `${file}-lock`;

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
    const real = realpathSync(path);
    assertUsableFiles(real);
    return real;
  } catch (cause) {
    throw directoryError(path, cause);
  }
}

/**
 * Refuses a directory with data of a newer version, or with a file that this process may not read and write.
 * lmdb 3.5.6 crashes the process if it cannot open a lock file.
 *
 * @throws {StorageError} `directory_unusable`
 */
export function assertUsableFiles(directory: string): void {
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const newer = readdirSync(directory).find(isNewerDataFile);
    if (newer !== undefined)
      throw new StorageError(
        "directory_unusable",
        `The directory ${directory} contains ${newer}, which a newer version has written. This version reads only ${dataFile}, and would continue without that data. Use the newer version, or restore a backup of this version.`,
      );
    for (const file of [gateFile, dataFile].flatMap((name) => [name, lockFileOf(name)])) {
      const path = join(directory, file);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (!stats.isFile())
        throw new StorageError("directory_unusable", `${path} is not a file. Move it away.`);
      accessSync(path, constants.R_OK | constants.W_OK);
    }
  } catch (cause) {
    throw directoryError(directory, cause);
  }
}

function isNewerDataFile(name: string): boolean {
  const [, version = "0"] = /^store-(\d+)\.mdb$/u.exec(name) ?? [];
  return Number(version) > dataFileVersion;
}

/**
 * Creates a directory and its parents. Node's `recursive` option loops forever if a parent exists but refuses
 * the child (`/proc/data`).
 */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    giveToOwner(path);
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
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StorageError(
    "directory_unusable",
    `The directory ${path} cannot be used: ${explainAccess(path, cause) ?? `${adviceFor(isFull ? "ENOSPC" : code)} (${reason})`}`,
    { cause, reason: isFull ? "disk_full" : findReason(cause) },
  );
}

/** Names the file or the directory that another user has. */
function explainAccess(directory: string, cause: unknown): string | undefined {
  if (!(cause instanceof Error && "code" in cause && cause.code === "EACCES")) return undefined;
  const path = "path" in cause && typeof cause.path === "string" ? cause.path : directory;
  if ("syscall" in cause && cause.syscall === "mkdir") return explainRefusedMkdir(path);
  return explainFileAccess(path) ?? explainFileAccess(directory);
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
