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

const unknown = { version: undefined, tooOld: undefined, clockAheadMs: undefined };

export async function readStorageFacts(
  location: StorageLocation,
  options: { readonly tlsFiles: RedisTlsFiles; readonly timeoutMs: number },
): Promise<StorageFacts> {
  if (location.type === "redis") return readRedisFacts(location.url, options);
  if (location.type === "postgres") return readPostgresFacts(location.url, options);
  if (location.type === "unstorage") {
    const safe = `each commit is as durable as a write of the driver ${location.driver}`;
    return { ...unknown, unsafe: [], safe, freeBytes: undefined };
  }
  const { bavail, bsize, blocks, type } = await statfs(location.type === "file" ? location.directory : ".");
  const unsafe = fileSystems[type];
  return {
    ...unknown,
    unsafe: unsafe === undefined ? [] : [{ setting: `the directory is on ${unsafe.name}`, fix: unsafe.fix }],
    safe: "each commit is flushed to the disk (fsync)",
    // Some tmpfs have no size.
    freeBytes: blocks === 0 ? undefined : bavail * bsize,
  };
}
