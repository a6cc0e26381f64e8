import type { TestProject } from "vitest/node";
import { hasPostgresServer, startPostgresServer } from "../../../../storage/test/support/postgres-server.ts";
import { startRedisCluster } from "../../../../storage/test/support/redis-cluster.ts";
import { hasRedisServer, startRedisServer } from "../../../../storage/test/support/redis-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Undefined: not installed. */
    readonly storageUrls: {
      readonly redis: string | undefined;
      readonly cluster: string | undefined;
      readonly postgres: string | undefined;
    };
  }
}

/** Starts the servers that all files of the end-to-end suite share, once for a run. Returns a function that stops them. */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const [redis, cluster, postgres] = await Promise.all([
    hasRedisServer ? startRedisServer() : undefined,
    hasRedisServer ? startRedisCluster() : undefined,
    hasPostgresServer ? startPostgresServer() : undefined,
  ]);
  project.provide("storageUrls", { redis: redis?.url, cluster: cluster?.url, postgres: postgres?.url });
  return async () => {
    for (const server of [redis, cluster, postgres]) await server?.[Symbol.asyncDispose]();
  };
}
