import { Redis } from "ioredis";
import { afterAll, describe } from "vitest";
import { runStoreContract } from "@hookwright/storage/contract";
import { openRedisStore } from "@hookwright/storage/redis";
import { hasRedisServer, serversOnPath, startRedisServer } from "./support/redis-server.ts";

const prefix = `contract-${process.pid}`;

function runContract(url: string): Promise<void> {
  let opened = 0;
  return runStoreContract(({ now }) =>
    openRedisStore({ url, now, prefix: `${prefix}-${opened++}`, sweepIntervalMs: 50 }),
  );
}

const given = process.env["REDIS_URL"];
describe.runIf(given !== undefined)("on the server of REDIS_URL", async () => {
  if (given === undefined) return;
  // Others may use the server, so its data is not changed.
  afterAll(async () => {
    const client = new Redis(given);
    const left = await client.keys(`{${prefix}-*`);
    if (left.length > 0) await client.unlink(left);
    client.disconnect();
  });
  await runContract(given);
});

describe.runIf(given === undefined && hasRedisServer).each(serversOnPath)("on one %s", async (program) => {
  // The body of a skipped suite runs too.
  if (given !== undefined || !hasRedisServer) return;
  const server = await startRedisServer([], { program });
  afterAll(() => server[Symbol.asyncDispose]());
  await runContract(server.url);
});
