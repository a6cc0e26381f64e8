import type { Store } from "@hookwright/storage";
import { openStore } from "../../src/open-store.ts";
import { parseStorageLocation } from "../../src/storage-location.ts";
import type { StorageLocation } from "../../src/storage-location.ts";

/** @throws Error if this is not a value of `--storage` */
export function toLocation(storage: string): StorageLocation {
  const location = parseStorageLocation(storage);
  if (location === undefined) throw new Error(`"${storage}" is not a storage`);
  return location;
}

/** Opens the storage that `--storage` would name so. */
export function openBenchStore(storage: string): Promise<Store> {
  const noFiles = { redisCa: undefined, redisCert: undefined, redisKey: undefined };
  return openStore(toLocation(storage), { tlsFiles: noFiles, onWarning: () => {} });
}
