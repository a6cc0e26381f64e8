import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import { ask, createTenants, isReady, publishOrders, startOn, until } from "./support/fleet.ts";
import { call } from "./support/host-api.ts";
import { hasRedisServer, startRedisCluster, startRedisServer } from "./support/redis-server.ts";
import type { RedisServer } from "./support/redis-server.ts";

/**
 * Writes many keys to the disk and restarts. Loading takes a minute until it is sped up, and Redis responds meanwhile.
 */
async function loadSlowly(redis: RedisServer): Promise<void> {
  redis.run("eval", "for i = 1, 60000 do redis.call('set', 'filler' .. i, 'x') end", "0");
  redis.run("bgrewriteaof");
  while (!/aof_rewrite_in_progress:0/u.test(redis.run("info", "persistence"))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await redis.kill9();
  // Resolves when everything is loaded, and fails if the test ends it earlier.
  redis.start().catch(() => {});
  while (!redis.run("info", "persistence").includes("loading:1")) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const slowLoad = ["--key-load-delay", "1000", "--loading-process-events-interval-bytes", "1024"];
const durable = ["--appendonly", "yes", "--appendfsync", "always"];

describe.runIf(hasRedisServer)("servers on one Redis", () => {
  it("see acknowledged data of each other, and deliver each other's events without waiting for the poll", async () => {
    await using redis = await startRedisServer();
    await using receiver = await startCountingReceiver();
    await using api = await startOn(redis.url, "api");
    await using other = await startOn(redis.url, "api");
    await using worker = await startOn(redis.url, "worker");
    const [apiKey = ""] = await createTenants(api, 1, receiver.url);
    for (let round = 0; round < 20; round++) {
      const body = { name: `Site ${round}`, account_id: "acc_0" };
      await call(api, `/host/v1/projects/site_${round}`, { method: "PUT", body });
      const seen = await call(other, "/v1/projects?limit=100", { token: apiKey });
      expect(JSON.stringify(seen)).toContain(`"Site ${round}"`);
    }
    await publishOrders([api, other], { last: 200, sites: 1 });
    await receiver.received(200);
    const waits: number[] = [];
    for (let round = 0; round < 9; round++) {
      const start = performance.now();
      await publishOrders([api], { first: 200 + round, last: 201 + round, sites: 1 });
      await receiver.received(201 + round);
      waits.push(performance.now() - start);
    }
    // The poll runs once a second, and each event after the first is published just after a poll. Without
    // notifications, all would wait for the next poll. A busy machine does not delay all of them.
    expect(waits.toSorted((one, next) => one - next)[2]).toBeLessThan(500);
    expect(receiver.duplicates).toBe(0);
    // A worker serves only the operations routes.
    expect((await ask(worker, "/v1/me", apiKey)).status).toBe(404);
    expect(await isReady(worker)).toBe(true);
    for (const server of [api, other, worker]) {
      expect((await server.stop()).code).toBe(0);
      expect(server.stdout.match(/no append-only file/gu)).toHaveLength(1);
    }
  }, 60_000);

  it("work the same on a Cluster", { tags: ["long"], timeout: 60_000 }, async () => {
    await using cluster = await startRedisCluster();
    await using receiver = await startCountingReceiver();
    await using api = await startOn(cluster.url, "api");
    await using worker = await startOn(cluster.url, "worker");
    await createTenants(api, 8, receiver.url);
    await publishOrders([api], { last: 400, sites: 8 });
    await receiver.received(400);
    expect(receiver.duplicates).toBe(0);
    await worker.stop();
  });
});

describe.runIf(hasRedisServer)("a server whose Redis", () => {
  for (const fault of [
    {
      what: "hangs",
      tags: [],
      breakDown: (redis: RedisServer) => redis.signal("SIGSTOP"),
      recover: (redis: RedisServer) => redis.signal("SIGCONT"),
    },
    {
      what: "is unavailable",
      tags: ["long"],
      breakDown: (redis: RedisServer) => redis.kill9(),
      recover: (redis: RedisServer) => redis.start(),
    },
    {
      what: "loads its data set",
      tags: ["long"],
      breakDown: loadSlowly,
      recover: (redis: RedisServer) => void redis.run("config", "set", "key-load-delay", "0"),
    },
  ]) {
    it(
      `${fault.what} responds with 503 within 5 s, is not ready, limits its log, and recovers by itself`,
      { tags: fault.tags, timeout: 60_000 },
      async () => {
        await using redis = await startRedisServer([...durable, ...slowLoad]);
        await using receiver = await startCountingReceiver();
        await using server = await startOn(redis.url);
        const [apiKey = ""] = await createTenants(server, 4, receiver.url);
        await publishOrders([server], { last: 100, sites: 4 });
        await receiver.received(100);
        const linesBefore = server.stdout.split("\n").length;

        await fault.breakDown(redis);
        for (let round = 0; round < 10; round++) {
          const answer = await ask(server, "/v1/me", apiKey);
          expect(answer).toMatchObject({ status: 503, body: { error: { code: "internal_error" } } });
          expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
          expect(answer.ms).toBeLessThan(5_000);
        }
        expect(await isReady(server)).toBe(false);
        expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
        // A hundred requests in a row, as from clients that keep retrying.
        await Promise.all(Array.from({ length: 100 }, () => ask(server, "/v1/me", apiKey)));
        const written = server.stdout.split("\n").length - linesBefore;
        expect(written).toBeGreaterThan(0);
        expect(written).toBeLessThan(60);
        const spent = cpuSecondsOf(server.pid);
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        expect(cpuSecondsOf(server.pid) - spent).toBeLessThanOrEqual(1);

        await fault.recover(redis);
        expect(await until(() => isReady(server))).toBeLessThan(5_000);
        await publishOrders([server], { first: 100, last: 200, sites: 4 });
        await receiver.received(200);
        expect(receiver.duplicates).toBe(0);
        expect((await server.stop()).code).toBe(0);
        // It is durable.
        expect(server.stdout).not.toContain("no append-only file");
      },
    );
  }

  it("is flushed keeps serving: old keys are invalid, new keys work, deliveries are sent", async () => {
    await using redis = await startRedisServer();
    await using receiver = await startCountingReceiver();
    await using server = await startOn(redis.url);
    const [apiKey = ""] = await createTenants(server, 1, receiver.url);
    redis.run("flushall");
    expect((await ask(server, "/v1/me", apiKey)).status).toBe(401);
    await createTenants(server, 1, receiver.url);
    await publishOrders([server], { last: 50, sites: 1 });
    // The leases were flushed too. Attempts in flight at that time are repeated, as after a crash.
    await receiver.received(50);
    expect((await server.stop()).code).toBe(0);
  }, 30_000);

  it("is killed repeatedly during publishing loses nothing that was acknowledged", async () => {
    await using redis = await startRedisServer(durable);
    await using receiver = await startCountingReceiver();
    await using server = await startOn(redis.url);
    await createTenants(server, 8, receiver.url);
    const publishing = publishOrders([server], { last: 2_000, sites: 8 });
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      await redis.kill9();
      await redis.start();
    }
    await publishing;
    await receiver.received(2_000);
    expect((await server.stop()).code).toBe(0);
  }, 60_000);
});

/** The CPU time of a process so far in whole seconds, as `ps` reports it. */
function cpuSecondsOf(pid: number): number {
  const { stdout } = spawnSync("ps", ["-o", "cputimes=", "-p", String(pid)], { encoding: "utf8" });
  return Number(stdout.trim());
}
