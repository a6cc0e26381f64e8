import { afterAll, describe } from "vitest";
import { runStoreContract } from "@hookwright/storage/contract";
import { openRedisStore } from "@hookwright/storage/redis";
import { hasRedisServer } from "./support/redis-server.ts";
import { startRedisCluster } from "./support/redis-cluster.ts";

describe.runIf(hasRedisServer)("on a Cluster of three masters", async () => {
  const cluster = hasRedisServer ? await startRedisCluster() : undefined;
  afterAll(() => cluster?.[Symbol.asyncDispose]());
  const url = cluster?.url ?? "";
  let opened = 0;

  await runStoreContract(({ now }) =>
    openRedisStore({ url, now, prefix: `contract-${opened++}`, sweepIntervalMs: 50 }),
  );
});
