import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Store } from "@hookwright/storage";
import { copyFilesystemStore, openFilesystemStore } from "@hookwright/storage/filesystem";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { hasPostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "../support/redis-server.ts";

/** A storage whose data can be saved as one file, and restored from it. */
export interface Place extends AsyncDisposable {
  openStore(): Promise<Store>;
  /** Saves the data. The store must be closed. */
  save(): Promise<Buffer>;
  /** Replaces the data. The store must be closed. */
  restore(bytes: Buffer): Promise<void>;
}

export interface Kind {
  readonly name: string;
  readonly folder: string;
  /** The file with its data, packed with gzip. */
  readonly file: string;
  readonly isInstalled: boolean;
  open(): Promise<Place>;
}

export const kinds: readonly Kind[] = [
  { name: "filesystem", folder: "file", file: "store-1.mdb.gz", isInstalled: true, open: openDirectory },
  { name: "Redis", folder: "redis", file: "dump.rdb.gz", isInstalled: hasRedisServer, open: openRedis },
  {
    name: "PostgreSQL",
    folder: "postgres",
    file: "dump.sql.gz",
    isInstalled: hasPostgresServer,
    open: openPostgres,
  },
];

export const pack = (bytes: Buffer): Buffer => gzipSync(bytes, { level: 9 });
export const unpack = async (file: URL): Promise<Buffer> => gunzipSync(await readFile(file));

async function openDirectory(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), "hookwright-upgrade-"));
  const directory = join(root, "data");
  return {
    openStore: () => openFilesystemStore({ directory }),
    async save() {
      const to = join(root, "copy");
      await copyFilesystemStore({ directory, to });
      return readFile(join(to, "store-1.mdb"));
    },
    async restore(bytes) {
      // The store creates its directory with the right mode.
      await (await openFilesystemStore({ directory })).close();
      await writeFile(join(directory, "store-1.mdb"), bytes);
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

async function openRedis(): Promise<Place> {
  const redis = await startRedisServer();
  const file = join(redis.directory, "dump.rdb");
  return {
    openStore: () => openRedisStore({ url: redis.url }),
    save() {
      redis.run("save");
      return readFile(file);
    },
    async restore(bytes) {
      await redis.kill9();
      await writeFile(file, bytes);
      await redis.start();
    },
    [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose](),
  };
}

async function openPostgres(): Promise<Place> {
  const postgres = await startPostgresServer();
  return {
    openStore: () => openPostgresStore({ url: postgres.url }),
    async save() {
      const sql = execFileSync("pg_dump", ["--inserts", "--no-owner", postgres.url], { encoding: "utf8" });
      // Lines with a backslash are commands of psql.
      return Buffer.from(sql.replaceAll(/^\\.*$/gmu, ""));
    },
    async restore(bytes) {
      await postgres.run(bytes.toString());
    },
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}
