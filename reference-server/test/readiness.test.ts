import { execFile } from "node:child_process";
import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  mountSmallFileSystem,
  whyNoSmallFileSystem,
} from "../../packages/storage/test/support/small-file-system.ts";
import { createDemoOrder } from "../src/demo/demo-order.ts";
import { createTenants, startOn } from "./support/fleet.ts";
import { hostToken } from "./support/host-api.ts";
import { callsOf, hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import type { RedisServer } from "./support/redis-server.ts";
import { runCommand } from "./support/run-command.ts";
import type { ServerProcess } from "./support/server-process.ts";

const mayMount = (await whyNoSmallFileSystem()) === undefined;

/** Without the five seconds that a master waits for further replicas. */
const replicating = ["--repl-diskless-sync-delay", "0"];

/** Returns "ready" or the problem. */
async function checkReadiness(server: ServerProcess): Promise<string> {
  const response = await fetch(`${server.url}/readyz`);
  const body = await response.json();
  if (response.status === 200) return body.data.status;
  expect([response.status, body.error.code]).toEqual([503, "internal_error"]);
  expect(response.headers.get("retry-after")).toBe("1");
  return body.error.message;
}

async function publish(server: ServerProcess): Promise<{ readonly response: Response; readonly ms: number }> {
  const start = performance.now();
  const data = createDemoOrder({ id: "ord_1", number: "1", createdAt: Date.now() });
  const response = await fetch(`${server.url}/host/v1/events`, {
    method: "POST",
    headers: { Authorization: `Bearer ${hostToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ event: "order.created", project_id: "site_0", data }),
  });
  await response.arrayBuffer();
  return { response, ms: performance.now() - start };
}

describe.runIf(hasRedisServer)("/readyz while Redis", () => {
  const faults = [
    {
      what: "is demoted to a read-only replica",
      breakDown: (redis: RedisServer, other: RedisServer) => {
        other.run("replicaof", "no", "one");
        redis.run("replicaof", "127.0.0.1", String(other.port));
      },
      recover: (redis: RedisServer) => void redis.run("replicaof", "no", "one"),
      problem: "The storage cannot be written: the server is a read-only replica.",
    },
    {
      what: "has too few replicas",
      breakDown: (redis: RedisServer, other: RedisServer) => {
        other.run("replicaof", "no", "one");
        redis.run("config", "set", "min-replicas-to-write", "1");
      },
      recover: (redis: RedisServer, other: RedisServer) =>
        void other.run("replicaof", "127.0.0.1", String(redis.port)),
      problem: "The storage cannot be written: Redis has too few replicas in sync (NOREPLICAS).",
    },
    {
      what: "is out of memory",
      breakDown: (redis: RedisServer) => void redis.run("config", "set", "maxmemory", "1"),
      recover: (redis: RedisServer) => void redis.run("config", "set", "maxmemory", "0"),
      problem: "The storage cannot be written: the server is out of memory.",
    },
    {
      what: "cannot save to its disk",
      async breakDown(redis: RedisServer) {
        redis.run("config", "set", "save", "3600 1000000");
        // A snapshot is renamed to this name. A directory with this name makes the rename fail.
        await rm(join(redis.directory, "dump.rdb"), { force: true });
        await mkdir(join(redis.directory, "dump.rdb"));
        redis.run("bgsave");
        await expect.poll(() => redis.run("info", "persistence")).toContain("rdb_last_bgsave_status:err");
      },
      async recover(redis: RedisServer) {
        await rmdir(join(redis.directory, "dump.rdb"));
        redis.run("bgsave");
      },
      problem: "The storage cannot be written: Redis could not save its data to its disk (MISCONF).",
    },
  ];

  it(
    "cannot be written reports the problem in every role, and becomes ready again by itself",
    { timeout: 120_000 },
    async () => {
      await using redis = await startRedisServer(replicating);
      await using other = await startRedisServer(replicating);
      await using server = await startOn(redis.url, "all");
      await using api = await startOn(redis.url, "api");
      await using worker = await startOn(redis.url, "worker");
      const servers = [server, api, worker];
      await createTenants(server, 1, "https://receiver.example/hooks");

      for (const { what, breakDown, recover, problem } of faults) {
        other.run("replicaof", "127.0.0.1", String(redis.port));
        await expect.poll(() => redis.run("info", "replication")).toContain("state=online");
        const before = server.stdout.length;
        await breakDown(redis, other);
        // The first probe of a process is exact. Later ones may repeat the result of the last second.
        if (what === faults[0]?.what)
          for (const one of servers) expect(await checkReadiness(one)).not.toBe("ready");
        for (const one of servers) await expect.poll(() => checkReadiness(one)).toBe(problem);
        let accepted = 0;
        for (let round = 0; round < 2; round++) {
          const { response, ms } = await publish(server);
          if (response.status === 200) accepted += 1;
          else
            expect([what, response.status, response.headers.has("retry-after")]).toEqual([what, 503, true]);
          expect(ms).toBeLessThan(5_000);
          for (const one of servers) await expect.poll(() => checkReadiness(one)).toBe(problem);
        }
        // With its memory full, Redis still completes a script whose first write is a deletion of the same account.
        expect(accepted).toBeLessThanOrEqual(1);
        const lines = server.stdout.slice(before).split("\n");
        const line = lines.find((each) => each.includes('"code":"not_ready"'));
        expect(line).toContain('"problem":"The storage cannot be written');

        await recover(redis, other);
        for (const one of servers) await expect.poll(() => checkReadiness(one)).toBe("ready");
        expect((await publish(server)).response.status).toBe(200);
      }
    },
  );

  it("works is not written to by every probe", async () => {
    await using redis = await startRedisServer();
    await using server = await startOn(redis.url, "api");
    expect(await checkReadiness(server)).toBe("ready");
    const calls = callsOf(redis, "evalsha");
    const answers = await Promise.all(Array.from({ length: 500 }, () => checkReadiness(server)));
    expect(new Set(answers)).toEqual(new Set(["ready"]));
    // The store sweeps its 64 partitions every ten seconds. Twice a second the declared events are read.
    expect((callsOf(redis, "evalsha") - calls) % 64).toBeLessThan(40);
  });
});

describe.skipIf(!mayMount)("a disk", () => {
  it("is read-only: a server does not start, and says why", { timeout: 60_000 }, async () => {
    const directory = await mountSmallFileSystem(8);
    await promisify(execFile)("mount", ["-o", "remount,ro", directory]);
    const environment = { PORT: "0", HOOKWRIGHT_STORAGE: `file:${join(directory, "data")}` };
    expect(await runCommand(["serve"], environment)).toMatchObject({
      code: 1,
      complained: expect.stringContaining("the file system is read-only"),
    });
  });
});
