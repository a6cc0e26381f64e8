import type { TestProject } from "vitest/node";
import { hasPostgresServer, startPostgresServer } from "../../../../storage/test/support/postgres-server.ts";
import { startRedisCluster } from "../../../../storage/test/support/redis-cluster.ts";
import { hasRedisServer, startRedisServer } from "../../../../storage/test/support/redis-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Undefined: not installed. */
    readonly storageServers: {
      readonly redis: StorageServer | undefined;
      readonly cluster: StorageServer | undefined;
      readonly postgres: StorageServer | undefined;
    };
  }
}

export type StorageServer = { readonly url: string } | { readonly failure: string };

/** Starts the servers that all files of the end-to-end suite share, once for a run. Returns a function that stops them. */
export default async function startServers(
  project: Pick<TestProject, "provide">,
): Promise<() => Promise<void>> {
  const started: AsyncDisposable[] = [];
  // A server that does not start fails its own tests. Without this it would fail the whole run.
  const tryToStart = async (
    start: () => Promise<AsyncDisposable & { readonly url: string }>,
  ): Promise<StorageServer> => {
    try {
      const server = await start();
      started.push(server);
      return { url: server.url };
    } catch (error) {
      return { failure: error instanceof Error ? error.message : String(error) };
    }
  };
  const [redis, cluster, postgres] = await Promise.all([
    hasRedisServer ? tryToStart(() => startRedisServer()) : undefined,
    hasRedisServer ? tryToStart(() => startRedisCluster()) : undefined,
    hasPostgresServer ? tryToStart(() => startPostgresServer()) : undefined,
  ]);
  project.provide("storageServers", { redis, cluster, postgres });
  return async () => {
    for (const server of started) await server[Symbol.asyncDispose]();
  };
}
