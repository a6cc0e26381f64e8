import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startPostgresServer } from "../../test/support/postgres-server.ts";
import { startRedisServer } from "../../test/support/redis-server.ts";

/** A new, empty storage of its own. */
export interface ScaleStorage extends AsyncDisposable {
  /** The value of `--storage`. */
  readonly location: string;
  /** What the storage takes on the disk (file, PostgreSQL) or in memory (Redis). */
  bytes(): Promise<number>;
}

const kinds = { file: openDirectory, redis: openRedis, postgres: openPostgres };
export type ScaleStorageName = keyof typeof kinds;
export const scaleStorageNames: readonly ScaleStorageName[] = ["file", "redis", "postgres"];

export function openScaleStorage(name: ScaleStorageName): Promise<ScaleStorage> {
  return kinds[name]();
}

async function openDirectory(): Promise<ScaleStorage> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-scale-"));
  return {
    location: `file:${directory}`,
    bytes: async () => (await stat(join(directory, "store-1.mdb"))).size,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

async function openRedis(): Promise<ScaleStorage> {
  const redis = await startRedisServer();
  return {
    location: redis.url,
    bytes: async () => Number(/^used_memory:(\d+)/mu.exec(redis.run("info", "memory"))?.[1]),
    [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose](),
  };
}

async function openPostgres(): Promise<ScaleStorage> {
  const postgres = await startPostgresServer(["-c", "fsync=on"]);
  return {
    location: postgres.url,
    async bytes() {
      const client = new Client({ connectionString: postgres.url });
      await client.connect();
      const { rows } = await client.query("select pg_database_size(current_database())::float8 as size");
      await client.end();
      return Number(rows[0].size);
    },
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}
