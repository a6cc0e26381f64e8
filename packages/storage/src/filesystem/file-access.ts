import { accessSync, chownSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";

/**
 * Says why this process may not read and write a file or a directory, and what to do. Returns `undefined` if
 * its owner and its mode are not the reason, or if the system has no users (Windows).
 *
 * @example
 * explainFileAccess("/data/secret"); // "/data/secret belongs to root, and this process (user 10001) may not …"
 */
export function explainFileAccess(path: string): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined || mayUse(path)) return undefined;
  const about = ownerOf(path);
  // A directory on the way to it is closed, so its owner is unknown.
  if (about === undefined)
    return `${path} cannot be reached by this process (user ${user}). Run it as root or as the owner of the directory.`;
  const { isDirectory, uid, mode } = about;
  if (uid === user)
    return `${path} has the mode ${mode}, so this process may not read and write it. Run: chmod u+rw${isDirectory ? "x" : ""} ${path}`;
  const directory = isDirectory ? path : dirname(path);
  const isOwnDirectory = !isDirectory && ownerOf(directory)?.uid === user;
  // In a directory of this user the file is misplaced. Otherwise the process may be.
  const advice = isOwnDirectory
    ? "As root, run:"
    : `Run it as ${nameOf(uid)}, or give the directory to this user:`;
  return `${path} belongs to ${nameOf(uid)}, and this process (user ${user}) may not read and write it. ${advice} chown -R ${user}:${process.getegid?.()} ${directory}`;
}

/** Says why this process may not create a directory, or reach it, and what to do. */
export function explainRefusedMkdir(path: string): string | undefined {
  const user = process.geteuid?.();
  const owner = ownerOf(dirname(path))?.uid;
  if (user === undefined || owner === undefined) return undefined;
  return `${dirname(path)} belongs to ${nameOf(owner)}, and this process (user ${user}) may not use it. Run it as ${nameOf(owner)}, or use another directory.`;
}

/**
 * Gives a new file or directory of root to the owner of the directory that contains it. A server that does not
 * run as root could not open it otherwise. For other users it does nothing.
 *
 * @throws Error of the operating system
 * @example
 * giveToOwner("/data/secret");
 */
export function giveToOwner(path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid !== 0) chownSync(path, uid, gid);
}

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "EACCES");
  }
}

function ownerOf(path: string) {
  try {
    const stats = statSync(path);
    const mode = (stats.mode & 0o7777).toString(8).padStart(4, "0");
    return { isDirectory: stats.isDirectory(), uid: stats.uid, mode };
  } catch {
    return undefined;
  }
}

function nameOf(uid: number): string {
  return uid === 0 ? "root" : `user ${uid}`;
}
