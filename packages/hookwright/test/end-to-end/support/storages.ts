import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { createHostDatabase } from "./host-database.ts";
import type { HostDatabase } from "./host-database.ts";
import { hasPostgresServer, startPostgresServer } from "../../../../storage/test/support/postgres-server.ts";
import { startRedisCluster } from "../../../../storage/test/support/redis-cluster.ts";
import { hasRedisServer, startRedisServer } from "../../../../storage/test/support/redis-server.ts";

export interface OpenedStorage {
  readonly store: Store;
  /** The host's own repositories for contacts, orders and posts. */
  readonly database?: HostDatabase;
  close(): Promise<void>;
}

export interface StorageUnderTest {
  readonly name: string;
  open(now: () => number): Promise<OpenedStorage>;
}

async function inDirectory(open: (directory: string) => Promise<Store>): Promise<OpenedStorage> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-end-to-end-"));
  const store = await open(directory);
  return {
    store,
    async close() {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type ServerSource = AsyncDisposable & { readonly url: string };
const started = new Map<string, Promise<ServerSource>>();

/** One server for all cases of a file. */
async function urlOf(name: string, start: () => Promise<ServerSource>): Promise<string> {
  const source = started.get(name) ?? start();
  started.set(name, source);
  return (await source).url;
}

/** Each case has its own prefix. */
async function onRedis(
  name: string,
  start: () => Promise<ServerSource>,
  now: () => number,
): Promise<OpenedStorage> {
  const url = await urlOf(name, start);
  const store = await openRedisStore({ url, now, prefix: `case-${crypto.randomUUID()}` });
  return { store, close: () => store.close() };
}

/** Each case has its own schema. */
async function onPostgres(now: () => number): Promise<OpenedStorage> {
  const url = await urlOf("postgres", startPostgresServer);
  const store = await openPostgresStore({
    url,
    now,
    schema: `case_${crypto.randomUUID().replaceAll("-", "")}`,
  });
  return { store, close: () => store.close() };
}

/** Stops the servers that the cases started. */
export async function stopStorages(): Promise<void> {
  for (const source of started.values()) await (await source)[Symbol.asyncDispose]();
  started.clear();
}

/** All storages of the end-to-end suite. Without a redis-server or PostgreSQL, the suite prints one line. */
export const storages: readonly StorageUnderTest[] = [
  {
    name: "memory",
    async open(now) {
      const store = memoryStore({ now });
      return { store, close: () => store.close() };
    },
  },
  {
    name: "filesystem",
    open: (now) => inDirectory((directory) => openFilesystemStore({ directory, now })),
  },
  {
    name: "unstorage's fs",
    open: (now) =>
      inDirectory((base) =>
        openUnstorageStore({ storage: createStorage({ driver: fsDriver({ base }) }), now }),
      ),
  },
  ...(hasRedisServer
    ? [
        { name: "Redis", open: (now: () => number) => onRedis("server", startRedisServer, now) },
        { name: "a Redis Cluster", open: (now: () => number) => onRedis("cluster", startRedisCluster, now) },
      ]
    : []),
  ...(hasPostgresServer ? [{ name: "PostgreSQL", open: onPostgres }] : []),
];

/** The host's own database must behave as the store does. */
export const hostsOwn: StorageUnderTest = {
  name: "a database of the host's own",
  async open(now) {
    const store = memoryStore({ now });
    return { store, database: createHostDatabase(now), close: () => store.close() };
  },
};
