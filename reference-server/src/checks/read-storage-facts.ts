import { statfs } from "node:fs/promises";
import type { RedisTlsFiles } from "../options/redis-tls-files.ts";
import type { StorageLocation } from "../storage-location.ts";
import { readPostgresFacts } from "./postgres-facts.ts";
import { readRedisFacts } from "./redis-facts.ts";
import type { StorageFacts } from "./storage-facts.ts";

/** Types of file systems (`man 2 statfs`). */
const fileSystems: Readonly<Record<number, { readonly name: string; readonly fix: string }>> = {
  0x0102_1994: { name: "tmpfs, which is memory", fix: "Use a directory on a disk." },
  0x6969: { name: "NFS", fix: "Use a directory on a local disk." },
  0xff53_4d42: { name: "CIFS", fix: "Use a directory on a local disk." },
  0xfe53_4d42: { name: "SMB", fix: "Use a directory on a local disk." },
};

export async function readStorageFacts(
  location: StorageLocation,
  options: { readonly tlsFiles: RedisTlsFiles; readonly timeoutMs: number },
): Promise<StorageFacts> {
  if (location.type === "redis") return readRedisFacts(location.url, options);
  if (location.type === "postgres") return readPostgresFacts(location.url, options);
  const { bavail, bsize, blocks, type } = await statfs(location.type === "file" ? location.directory : ".");
  const unsafe = fileSystems[type];
  return {
    version: undefined,
    tooOld: undefined,
    unsafe: unsafe === undefined ? [] : [{ setting: `the directory is on ${unsafe.name}`, fix: unsafe.fix }],
    safe: "each commit is flushed to the disk (fsync)",
    clockAheadMs: undefined,
    // Some tmpfs have no size.
    freeBytes: blocks === 0 ? undefined : bavail * bsize,
  };
}
