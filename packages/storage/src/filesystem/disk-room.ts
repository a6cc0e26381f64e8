import { statfsSync } from "node:fs";

/** Less than LMDB may need for one small commit. */
const leastBytes = 256 * 1024;

/**
 * Whether there is no room left on the disk of a directory. LMDB says "Input/output error" where the last bytes of the disk
 * take but a part of what it writes, so the disk itself is asked.
 */
export function isDiskFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < leastBytes;
  } catch {
    return false;
  }
}
