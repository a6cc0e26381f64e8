import { statfs } from "node:fs/promises";
import type { RedisTlsFiles } from "../options/redis-tls-files.ts";
import type { StorageLocation } from "../storage-location.ts";
import { readPostgresFacts } from "./postgres-facts.ts";
import { readRedisFacts } from "./redis-facts.ts";

/** What a storage tells about itself. */
export interface StorageFacts {
  /** `Redis 7.2.4`. Undefined for a directory. */
  readonly version: string | undefined;
  /** An older version than the oldest that works. Undefined: it is new enough. */
  readonly tooOld: string | undefined;
  /** Settings that may lose data, each with its remedy. */
  readonly unsafe: readonly { readonly setting: string; readonly fix: string }[];
  /** The safe settings. */
  readonly safe: string;
  /** How far its clock is ahead of this machine, in milliseconds. Undefined: it has no clock of its own. */
  readonly clockAheadMs: number | undefined;
  /** Free bytes. Undefined: it is not known. */
  readonly freeBytes: number | undefined;
}

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

/** The difference of another clock to this one, which was read before and after. */
export function toClockAhead(before: number, other: number, after: number): number {
  return Math.round(other - (before + after) / 2);
}
