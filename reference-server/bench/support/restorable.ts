import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Store } from "@hookwright/storage";
import { copyFilesystemStore, openFilesystemStore } from "@hookwright/storage/filesystem";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { startPostgresServer } from "../../test/support/postgres-server.ts";
import { startRedisServer } from "../../test/support/redis-server.ts";

/** A storage with the backup that its operator would use. */
export interface Restorable extends AsyncDisposable {
  readonly name: string;
  openStore(): Promise<Store>;
  /** Backs it up while it is used. Returns the size in bytes. */
  backup(): Promise<number>;
  /** Destroys it. */
  lose(): Promise<void>;
  /** Restores the backup into an empty storage. */
  restore(): Promise<void>;
}

/** Others go on publishing meanwhile. */
const run = promisify(execFile);

const kinds = { file: openDirectory, redis: openRedis, postgres: openPostgres };
export const storages = Object.keys(kinds);

export async function openRestorable(name: string): Promise<Restorable> {
  const [, open] = Object.entries(kinds).find(([kind]) => kind === name) ?? [];
  if (open === undefined)
    throw new Error(`There is no storage "${name}". Choose among: ${storages.join(", ")}.`);
  return open();
}

async function openDirectory(): Promise<Restorable> {
  const root = await mkdtemp(join(tmpdir(), "hookwright-restore-"));
  const [directory, copy] = [join(root, "data"), join(root, "copy")];
  return {
    name: "filesystem",
    openStore: () => openFilesystemStore({ directory }),
    async backup() {
      await copyFilesystemStore({ directory, to: copy });
      return (await stat(join(copy, "store-1.mdb"))).size;
    },
    lose: () => rm(directory, { recursive: true }),
    restore: () => rename(copy, directory),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

async function openRedis(): Promise<Restorable> {
  const redis = await startRedisServer();
  const [dump, copy] = [join(redis.directory, "dump.rdb"), join(redis.directory, "copy.rdb")];
  return {
    name: "Redis",
    openStore: () => openRedisStore({ url: redis.url }),
    async backup() {
      redis.run("bgsave");
      while (/rdb_bgsave_in_progress:1/u.test(redis.run("info", "persistence"))) await pause(20);
      await rename(dump, copy);
      return (await stat(copy)).size;
    },
    lose: () => redis.kill9(),
    async restore() {
      await copyFile(copy, dump);
      await redis.start();
    },
    [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose](),
  };
}

async function openPostgres(): Promise<Restorable> {
  const postgres = await startPostgresServer(["-c", "fsync=on"]);
  const root = await mkdtemp(join(tmpdir(), "hookwright-restore-"));
  const file = join(root, "dump");
  return {
    name: "PostgreSQL",
    openStore: () => openPostgresStore({ url: postgres.url }),
    async backup() {
      await run("pg_dump", ["--schema=hookwright", "--format=custom", `--file=${file}`, postgres.url]);
      return (await stat(file)).size;
    },
    async lose() {
      await postgres.stop("SIGKILL");
      await postgres.start();
      await postgres.run("drop schema hookwright cascade");
    },
    async restore() {
      await run("pg_restore", [`--dbname=${postgres.url}`, file]);
    },
    async [Symbol.asyncDispose]() {
      await postgres[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
