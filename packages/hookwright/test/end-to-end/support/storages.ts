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
import { inject } from "vitest";
import { createHostDatabase } from "./host-database.ts";
import type { HostDatabase } from "./host-database.ts";
import type { StorageServer } from "./start-servers.ts";

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

/** Each case has its own prefix. */
async function onRedis(url: string, now: () => number): Promise<OpenedStorage> {
  const store = await openRedisStore({ url, now, prefix: `case-${crypto.randomUUID()}` });
  return { store, close: () => store.close() };
}

/** Each case has its own schema. */
async function onPostgres(url: string, now: () => number): Promise<OpenedStorage> {
  const schema = `case_${crypto.randomUUID().replaceAll("-", "")}`;
  const store = await openPostgresStore({ url, now, schema });
  return { store, close: () => store.close() };
}

/** @param server undefined: not installed */
function onServer(
  name: string,
  server: StorageServer | undefined,
  open: (url: string, now: () => number) => Promise<OpenedStorage>,
): StorageUnderTest[] {
  if (server === undefined) return [];
  return [
    {
      name,
      async open(now) {
        if ("failure" in server) throw new Error(server.failure);
        return open(server.url, now);
      },
    },
  ];
}

const servers = inject("storageServers");

const memory: StorageUnderTest = {
  name: "memory",
  async open(now) {
    const store = memoryStore({ now });
    return { store, close: () => store.close() };
  },
};
const postgres = onServer("PostgreSQL", servers.postgres, onPostgres);

/** The storages of the use cases: the simplest one, and one behind a network. The contract suite proves that all behave alike. */
export const storages: readonly StorageUnderTest[] = [memory, ...postgres];

/** Without a redis-server or PostgreSQL, these are fewer. */
export const everyStorage: readonly StorageUnderTest[] = [
  memory,
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
  ...onServer("Redis", servers.redis, onRedis),
  ...onServer("a Redis Cluster", servers.cluster, onRedis),
  ...postgres,
];

/** The host's own database must behave as the store does. */
export const hostsOwn: StorageUnderTest = {
  name: "a database of the host's own",
  async open(now) {
    const store = memoryStore({ now });
    return { store, database: createHostDatabase(now), close: () => store.close() };
  },
};
