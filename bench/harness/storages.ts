import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { Redis } from "ioredis";
import { Client } from "pg";
import { startPostgresServer } from "../../packages/storage/test/support/postgres-server.ts";
import { startRedisServer } from "../../packages/storage/test/support/redis-server.ts";
import { openStore } from "../../reference-server/src/open-store.ts";
import { parseStorageLocation } from "../../reference-server/src/storage-location.ts";
import type { StorageLocation } from "../../reference-server/src/storage-location.ts";

/** A new, empty storage of its own. */
export interface Storage extends AsyncDisposable {
  /** The value of `--storage`. */
  readonly location: string;
  /** What the storage takes on the disk (file, PostgreSQL) or in memory (Redis). */
  bytes(): Promise<number>;
}

const kinds = { memory: openMemory, file: openDirectory, redis: openRedis, postgres: openPostgres };
export type StorageName = keyof typeof kinds;

export function openStorage(name: StorageName): Promise<Storage> {
  return kinds[name]();
}

/** Opens the storage that `--storage` would name so. */
export function openBenchStore(location: string): Promise<Store> {
  const noFiles = { redisCa: undefined, redisCert: undefined, redisKey: undefined };
  return openStore(toLocation(location), { tlsFiles: noFiles, onWarning: () => {} });
}

/** @throws Error if this is not a value of `--storage` */
export function toLocation(text: string): StorageLocation {
  const location = parseStorageLocation(text);
  if (location === undefined) throw new Error(`"${text}" is not a storage`);
  return location;
}

/** Deletes all data of a Redis, or our schema in a PostgreSQL. */
export async function emptyStorage(location: string): Promise<void> {
  if (location.startsWith("redis")) {
    const redis = new Redis(location);
    await redis.flushall();
    redis.disconnect();
  } else if (location.startsWith("postgres")) {
    const client = new Client(location);
    await client.connect();
    await client.query("drop schema if exists hookwright cascade");
    await client.end();
  }
}

async function openMemory(): Promise<Storage> {
  return {
    location: "memory",
    bytes: async () => 0,
    [Symbol.asyncDispose]: async () => {},
  };
}

async function openDirectory(): Promise<Storage> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  return {
    location: `file:${directory}`,
    bytes: async () => (await stat(join(directory, "store-1.mdb"))).size,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

async function openRedis(): Promise<Storage> {
  const redis = await startRedisServer();
  return {
    location: redis.url,
    bytes: async () => Number(/^used_memory:(\d+)/mu.exec(redis.run("info", "memory"))?.[1]),
    [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose](),
  };
}

/** It flushes each commit to the disk. */
async function openPostgres(): Promise<Storage> {
  const postgres = await startPostgresServer(["-c", "fsync=on"]);
  return {
    location: postgres.url,
    async bytes() {
      const [row] = await postgres.run("select pg_database_size(current_database())::float8 as size");
      return Number(row?.["size"]);
    },
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}
