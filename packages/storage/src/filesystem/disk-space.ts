import { statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { StorageFacts, StorageSpace } from "../port.ts";

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

/** Types of file systems (`man 2 statfs`). */
const unsafeTypes: Readonly<Record<number, { readonly name: string; readonly fix: string }>> = {
  0x0102_1994: { name: "tmpfs, which is memory", fix: "Use a directory on a disk." },
  0x6969: { name: "NFS", fix: "Use a directory on a local disk." },
  0xff53_4d42: { name: "CIFS", fix: "Use a directory on a local disk." },
  0xfe53_4d42: { name: "SMB", fix: "Use a directory on a local disk." },
};

export async function readDiskFacts(directory: string): Promise<StorageFacts> {
  const unsafe = unsafeTypes[(await statfs(directory)).type];
  return {
    unsafe: unsafe === undefined ? [] : [{ setting: `the directory is on ${unsafe.name}`, fix: unsafe.fix }],
    safe: "each commit is flushed to the disk (fsync)",
  };
}
