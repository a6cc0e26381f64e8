import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from "node:fs";
import { randomBytes } from "node:crypto";

/** LMDB takes all the room there is for its table of readers: this is enough for some 250, in all processes together. */
const lockBytes = 16 * 1024;

/**
 * Makes the lock file of an LMDB environment, all of it on the disk.
 *
 * LMDB itself makes it as one hole and writes to it through its memory map: on a disk that is full the kernel cannot fill the
 * hole, and ends the process with SIGBUS in the middle of whatever it does. Made this way, a full disk is an error now.
 */
export function makeLockFile(path: string): void {
  makeWholeFile(path, lockBytes);
}

/**
 * A file of zeros where there is none, for its owner alone. It is made beside its place and then linked there, so nobody who opens it meanwhile ever finds half of it.
 */
export function makeWholeFile(path: string, bytes: number): void {
  if (existsSync(path)) return;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      writeSync(file, Buffer.alloc(bytes));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
