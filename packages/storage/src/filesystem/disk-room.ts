import { statfsSync } from "node:fs";

/** Less than LMDB may need for one small commit. */
const leastBytes = 256 * 1024;

/** As LMDB says it. */
export const noRoom = "No space left on device";

/**
 * Whether there is no room left on the disk of a directory, for so much. LMDB says "Input/output error" where the last bytes of
 * the disk take but a part of what it writes, so the disk itself is asked. One that tells no size (a tmpfs without a limit) is
 * never full.
 */
export function isDiskFull(directory: string, bytes = 0): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory);
    return blocks > 0 && bavail * bsize < leastBytes + bytes;
  } catch {
    return false;
  }
}
