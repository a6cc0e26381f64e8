import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { Redis } from "ioredis";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { inject } from "vitest";
import { openPool } from "../../../../storage/test/support/postgres-server.ts";
import { readAccountRows } from "../../../src/index.ts";
import type { AccountRowEntry } from "../../../src/index.ts";
import { createHostDatabase } from "./host-database.ts";
import type { HostDatabase } from "./host-database.ts";
import type { StorageServer } from "./start-servers.ts";

export interface OpenedStorage {
  readonly store: Store;
  /** The host's own repositories for contacts, orders and posts. */
  readonly database?: HostDatabase;
  /** All that the storage has of `acc_1`, read without the store. Files keep old bytes, so they are those after a move. Absent: in memory. */
  readonly readDirectly?: (() => Promise<string>) | undefined;
  /** Adds a rejected row to the outbox of a site. Absent: the storage has no outbox. */
  readonly addRejected?: ((projectId: string, data: object) => Promise<void>) | undefined;
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
    async readDirectly() {
      const another = await mkdtemp(join(tmpdir(), "hookwright-end-to-end-"));
      const moved = await open(another);
      await move(store, moved);
      await moved.close();
      const text = await readFiles(another);
      await rm(another, { recursive: true, force: true });
      return text;
    },
    async close() {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Moves an account as `hookwright export` and `hookwright import` do it. */
async function move(from: Store, to: Store): Promise<void> {
  const rows: AccountRowEntry[] = [];
  for await (const row of readAccountRows({ store: from, accountId: "acc_1" })) rows.push(row);
  for (const [partition, some] of Map.groupBy(rows, ({ key }) => key[0]))
    await to.commit(partition, {
      mutations: some.map(({ key, value, lifetimeMs: expiresInMs }) => ({
        type: "set",
        key,
        value,
        expiresInMs,
      })),
    });
}

/** The names and the texts of all files. */
async function readFiles(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
  const texts = await Promise.all(files.map(async (file) => `${file} ${await readFile(file, "latin1")}`));
  return texts.join("\n");
}

/** Each case has its own prefix. */
async function onRedis(url: string, now: () => number): Promise<OpenedStorage> {
  const prefix = `case-${crypto.randomUUID()}`;
  const store = await openRedisStore({ url, now, prefix });
  return { store, readDirectly: () => readRedis(url, prefix), close: () => store.close() };
}

/** The names and the dumps of all keys with a prefix. */
async function readRedis(url: string, prefix: string): Promise<string> {
  const client = new Redis(url);
  const texts: string[] = [];
  for (const name of await client.keys(`*${prefix}*`)) {
    const type = await client.type(name);
    const content =
      type === "hash"
        ? await client.hgetall(name)
        : type === "zset"
          ? await client.zrange(name, 0, -1)
          : type === "stream"
            ? await client.xrange(name, "-", "+")
            : await client.get(name);
    texts.push(`${name} ${JSON.stringify(content)}`);
  }
  client.disconnect();
  return texts.join("\n");
}

type Pool = ReturnType<typeof openPool>;

/** Schemas without rows, each with a pool whose connections have compiled its functions. */
const emptySchemas: { readonly schema: string; readonly pool: Pool }[] = [];

/** Each case has a schema for itself, and leaves it empty for the next one. */
async function onPostgres(url: string, now: () => number): Promise<OpenedStorage> {
  const { schema, pool } = emptySchemas.pop() ?? {
    schema: `case_${crypto.randomUUID().replaceAll("-", "")}`,
    pool: openPool(url, 10),
  };
  const store = await openPostgresStore({ pool, now, schema });
  return {
    store,
    readDirectly: () => readPostgres(pool, schema),
    async addRejected(projectId, data) {
      await pool.query(
        `insert into ${schema}.outbox_rejected (id, event, project_id, data, created_at, code, message)
         values (1, 'order.created', $1, $2, now(), 'validation_failed', '')`,
        [projectId, data],
      );
    },
    async close() {
      await store.close();
      for (const table of ["rows", "outbox", "outbox_rejected"])
        await pool.query(`delete from ${schema}.${table}`);
      emptySchemas.push({ schema, pool });
    },
  };
}

/** All columns of all tables of a schema. */
async function readPostgres(pool: Pool, schema: string): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = $1",
    [schema],
  );
  const texts: string[] = [];
  for (const { name } of tables)
    for (const row of (await pool.query<Record<string, unknown>>(`select * from ${schema}.${name}`)).rows)
      for (const cell of Object.values(row))
        texts.push(Buffer.isBuffer(cell) ? cell.toString("utf8") : JSON.stringify(cell));
  return texts.join("\n");
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

/** For what is decided above the storage, such as rights. The contract suite proves that all storages behave alike. */
export const memory: StorageUnderTest = {
  name: "memory",
  async open(now) {
    const store = memoryStore({ now });
    return { store, close: () => store.close() };
  },
};
const postgres = onServer("PostgreSQL", servers.postgres, onPostgres);

/** For what many write at once: the simplest storage, and one behind a network. */
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
  ...onServer("a Redis Cluster", servers.cluster, async (url, now) => ({
    ...(await onRedis(url, now)),
    readDirectly: undefined,
  })),
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
