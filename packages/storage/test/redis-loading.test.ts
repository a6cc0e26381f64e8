import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { StorageError, type Key, type Store } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { timed } from "./support/outage.ts";
import { startRedisCluster } from "./support/redis-cluster.ts";
import { hasRedisServer, startRedisServer, type RedisServer } from "./support/redis-server.ts";

/** Loads 1,000 keys a second until the delay is removed, and replies to clients meanwhile. */
const slowLoad = ["--key-load-delay", "1000", "--loading-process-events-interval-bytes", "1024"];
/** As slowly, but clients wait for most of a second, so their connections are closed during a command. */
const rareAnswers = ["--key-load-delay", "1000", "--loading-process-events-interval-bytes", "16384"];
const key: Key = ["p05", "a"];
const reason = /LOADING.*Nothing was written.*is loading its data/su;

const add = (store: Store, partition = "p05") =>
  store.commit(partition, { mutations: [{ type: "sum", key: [partition, "a"], amount: 1 }] });

/** Adds so many other keys to the disk that loading takes half a minute. */
function fill(server: RedisServer, tag = ""): void {
  const script = "for i = 1, 30000 do redis.call('set', KEYS[1] .. i, 'x') end";
  server.run("eval", script, "1", `${tag}filler`);
  server.run("save");
}

/** Restarts the server and resolves when it is loading. */
async function startLoading(server: RedisServer): Promise<{ finish(): Promise<void> }> {
  await server.kill9();
  const loaded = server.start();
  // A failed test stops the server before it has loaded.
  loaded.catch(() => {});
  await untilLoads(server);
  return {
    finish() {
      server.run("config", "set", "key-load-delay", "0");
      return loaded;
    },
  };
}

async function untilLoads(server: RedisServer): Promise<void> {
  while (!server.run("info", "persistence").includes("loading:1")) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Repeats a call until it succeeds, like a worker. Returns the number of failures. */
async function untilSucceeds(ask: () => Promise<unknown>): Promise<number> {
  for (let refused = 0; ; refused++) {
    const { error } = await timed(ask());
    if (error === undefined) return refused;
    expect(error).toBeInstanceOf(StorageError);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.runIf(hasRedisServer)("a Redis that is loading its data", () => {
  it("fails commands within seconds, then at once, with the reason, and works when it has loaded", async () => {
    await using server = await startRedisServer(rareAnswers);
    await using store = await openRedisStore({ url: server.url });
    await add(store);
    fill(server);
    const loading = await startLoading(server);
    const first = await timed(store.get(key));
    expect(first.error).toMatchObject({ code: "unavailable", message: expect.stringMatching(reason) });
    expect(first.ms).toBeLessThan(4_000);
    const spent = process.cpuUsage();
    const waits: number[] = [];
    for (let round = 0; round < 50; round++) {
      const { error, ms } = await timed(round % 2 === 0 ? add(store) : store.get(key));
      expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(reason) });
      waits.push(ms);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { user, system } = process.cpuUsage(spent);
    expect(user + system).toBeLessThan(400_000);
    // No call waited for the time-out. A busy machine may delay a few.
    expect(Math.max(...waits)).toBeLessThan(2_000);
    expect(waits.sort((one, next) => one - next)[12]).toBeLessThan(100);
    await loading.finish();
    const back = await timed(untilSucceeds(() => store.get(key)));
    expect(back.ms).toBeLessThan(1_000);
    // Failed commits were not applied later.
    expect(await store.get(key)).toBe("1");
  }, 30_000);

  it("for a short time completes waiting commands", async () => {
    await using server = await startRedisServer(slowLoad);
    await using store = await openRedisStore({ url: server.url });
    await add(store);
    fill(server);
    const loading = await startLoading(server);
    // The old connection is closed, or will be.
    const reading = store.get(key);
    await loading.finish();
    expect(await reading).toBe("1");
  }, 30_000);

  it("on an open connection fails commands at once", async () => {
    await using server = await startRedisServer([...slowLoad, "--enable-debug-command", "yes"]);
    await using store = await openRedisStore({ url: server.url });
    await add(store);
    fill(server);
    const reload = spawn("redis-cli", ["-p", String(server.port), "debug", "reload"], { stdio: "ignore" });
    await untilLoads(server);
    for (const ask of [() => store.get(key), () => add(store)]) {
      const { error, ms } = await timed(ask());
      expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(reason) });
      expect(ms).toBeLessThan(500);
    }
    const reloaded = new Promise((resolve) => reload.once("exit", resolve));
    server.run("config", "set", "key-load-delay", "0");
    await reloaded;
    await untilSucceeds(() => store.get(key));
    expect(await store.get(key)).toBe("1");
  }, 30_000);

  it("is the reported reason if a store cannot be opened", async () => {
    await using server = await startRedisServer(slowLoad);
    fill(server);
    const loading = await startLoading(server);
    const { error, ms } = await timed(openRedisStore({ url: server.url }));
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(reason) });
    expect(ms).toBeLessThan(4_000);
    await loading.finish();
  }, 30_000);

  it("as one node of a Cluster does not affect the others", { tags: ["long"], timeout: 60_000 }, async () => {
    await using cluster = await startRedisCluster([...slowLoad, "--cluster-require-full-coverage", "no"]);
    await using store = await openRedisStore({ url: cluster.url });
    const partitions = Array.from({ length: 64 }, (_, number) => `p${String(number).padStart(2, "0")}`);
    await Promise.all(partitions.map((partition) => add(store, partition)));
    const [node] = cluster.nodes;
    if (node === undefined) throw new Error("the Cluster has no node");
    // A tag whose slot belongs to the first node, which has the lowest third.
    fill(node, "{06S}");
    const loading = await startLoading(node);
    // A command on the old connection may have an unknown outcome. Reads detect the broken connection.
    await Promise.all(partitions.map((name) => timed(store.get([name, "a"]))));
    const answers = await Promise.all(partitions.map((name) => timed(add(store, name))));
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(40);
    for (const { error, ms } of refused) {
      expect(error).toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("Nothing was written"),
      });
      expect(ms).toBeLessThan(2_900);
    }
    await loading.finish();
    await Promise.all(partitions.map((name) => untilSucceeds(() => store.get([name, "a"]))));
    const sums = await store.getMany(partitions.map((name): Key => [name, "a"]));
    // Failed commits were not applied later.
    expect(sums).toEqual(answers.map(({ error }) => (error === undefined ? "2" : "1")));
  });
});
