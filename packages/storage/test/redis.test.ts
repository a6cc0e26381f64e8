import { Redis } from "ioredis";
import { afterAll, describe } from "vitest";
import { runStoreContract } from "@hookwright/storage/contract";
import { openRedisStore } from "@hookwright/storage/redis";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";

describe.runIf(hasRedisServer)("on one server", async () => {
  const given = process.env["REDIS_URL"];
  const server = given === undefined && hasRedisServer ? await startRedisServer() : undefined;
  const url = given ?? server?.url ?? "";
  const prefix = `contract-${process.pid}`;
  let opened = 0;

  afterAll(async () => {
    if (server !== undefined) return server[Symbol.asyncDispose]();
    // A server that others may use is left as it was.
    const client = new Redis(url);
    const left = await client.keys(`{${prefix}-*`);
    if (left.length > 0) await client.unlink(left);
    client.disconnect();
  });

  await runStoreContract(({ now }) =>
    openRedisStore({ url, now, prefix: `${prefix}-${opened++}`, sweepIntervalMs: 50 }),
  );
});
