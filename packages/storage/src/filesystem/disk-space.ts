import { statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { StorageSpace } from "../port.ts";

/** LMDB may need this much for one small commit. */
const minBytes = 256 * 1024;

/** LMDB's message for a full disk. */
export const diskFullMessage = "No space left on device";

/**
 * Returns whether the disk of a directory lacks space for so many bytes. LMDB reports "Input/output error" if
 * it can write only a part, so this asks the disk. A disk without a size (some tmpfs) is never full.
 */
export function isDiskFull(directory: string, bytes = 0): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory);
    return blocks > 0 && bavail * bsize < minBytes + bytes;
  } catch {
    return false;
  }
}

/** Returns the space of the disk of a directory for users without privileges, or `undefined` for a disk without a size. */
export async function readDiskSpace(directory: string): Promise<StorageSpace | undefined> {
  const { bavail, bfree, blocks, bsize } = await statfs(directory);
  // Like df: blocks that only root may use count neither as free nor as total.
  return blocks === 0
    ? undefined
    : { freeBytes: bavail * bsize, totalBytes: (blocks - bfree + bavail) * bsize };
}
