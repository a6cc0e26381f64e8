import type { Store } from "@hookwright/storage";
import { nameOf } from "./options/option.ts";
import { options } from "./options/options.ts";
import { readTlsFiles } from "./options/redis-tls-files.ts";
import type { RedisTlsFiles } from "./options/redis-tls-files.ts";
import { ServerError } from "./server-error.ts";
import type { StorageLocation } from "./storage-location.ts";
import { hideSecrets } from "@hookwright/domain";
import { importDriver, openUnstorage, secretsOfUnstorage } from "./unstorage-driver.ts";

const tlsVariables = [options.redisCa, options.redisCert, options.redisKey].map(nameOf);

export interface OpenStoreOptions {
  /** Files for Redis over TLS. */
  readonly tlsFiles: RedisTlsFiles;
  /** Of PostgreSQL. @default that of the store */
  readonly poolSize?: number | undefined;
  /** Of PostgreSQL: false creates and migrates no tables. @default true */
  readonly mayMigrate?: boolean | undefined;
  /** Called with errors of background work that is retried. @default errors are ignored */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Called if the storage works but may lose data. */
  readonly onWarning: (warning: string) => void;
}

/**
 * Opens the storage of `--storage`. Adapters are loaded on demand, so `memory` needs no native module.
 *
 * @throws {ServerError} `storage_unavailable`, `invalid_option`
 */
export async function openStore(
  location: StorageLocation,
  { tlsFiles, poolSize, mayMigrate, onWarning, onError = () => {} }: OpenStoreOptions,
): Promise<Store> {
  try {
    if (location.type === "memory") return (await import("@hookwright/storage/memory")).memoryStore();
    if (location.type === "file") {
      const { openFilesystemStore } = await import("@hookwright/storage/filesystem");
      return await openFilesystemStore({ directory: location.directory });
    }
    if (location.type === "postgres") {
      const { openPostgresStore } = await import("@hookwright/storage/postgres");
      return await openPostgresStore({ url: location.url, poolSize, migrate: mayMigrate });
    }
    if (location.type === "unstorage") return await openUnstorage(location, onError);
    const { openRedisStore } = await import("@hookwright/storage/redis");
    return await openRedisStore({ url: location.url, tls: await readTlsFiles(tlsFiles), onWarning });
  } catch (cause) {
    throw explain(location, cause);
  }
}

/**
 * Finds out whether the packages of a storage are installed, without creating the storage.
 *
 * @throws {ServerError} `storage_unavailable`, as `openStore` does
 */
export async function requirePackages(location: StorageLocation): Promise<void> {
  try {
    if (location.type === "file") await (await import("@hookwright/storage/filesystem")).requireLmdb();
    if (location.type === "unstorage") await importDriver(location);
  } catch (cause) {
    throw explain(location, cause);
  }
}

function explain(location: StorageLocation, cause: unknown): ServerError {
  if (cause instanceof ServerError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  // A driver may show the URL that it was given.
  const reason = location.type === "unstorage" ? hideSecrets(message, secretsOfUnstorage(location)) : message;
  const hint =
    location.type === "redis" && location.url.startsWith("rediss")
      ? ` Set the certificates with ${tlsVariables.join(", ")}.`
      : "";
  return new ServerError(
    "storage_unavailable",
    `${nameOf(options.storage)} cannot be opened. ${reason}${hint}`,
    { cause },
  );
}
