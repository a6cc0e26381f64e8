import { makeWholeFile } from "./whole-file.ts";

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
