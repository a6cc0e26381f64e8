import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createTlsServer } from "node:tls";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Key, Mutation, Store } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { timed, untilSucceeds } from "./support/outage.ts";
import { startRedisCluster, type RedisCluster } from "./support/redis-cluster.ts";
import { hasRedisServer, serversOnPath, startRedisServer, callsOf } from "./support/redis-server.ts";
import { startTcpProxy } from "./support/tcp-proxy.ts";

const key: Key = ["p05", "a"];
const set = (store: Store, value: string) =>
  store.commit("p05", { mutations: [{ type: "set", key, value }] });
const add = (store: Store) => store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }] });

describe.runIf(hasRedisServer)("a client of the caller", () => {
  it("provides its settings and stays open", async () => {
    await using server = await startRedisServer(["--requirepass", "pass word"]);
    const client = new Redis({ port: server.port, password: "pass word", db: 3, keyPrefix: "app:" });
    const store = await openRedisStore({ client });
    await set(store, "1");
    expect(await store.get(key)).toBe("1");
    await store.close();
    expect(await client.keys("*")).toContain("app:{hookwright:p05}:rows");
    client.disconnect();
  });

  it("may be a Cluster", async () => {
    await using cluster = await startRedisCluster();
    const client = new Cluster(cluster.nodes.map(({ port }) => ({ host: "127.0.0.1", port })));
    const store = await openRedisStore({ client });
    await set(store, "1");
    expect(await store.get(key)).toBe("1");
    await store.close();
    client.disconnect();
  });

  it("of another library is rejected", async () => {
    await expect(openRedisStore({ client: Object.create(null) })).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });
});

// These tests wait, each for a server of its own.
describe.runIf(hasRedisServer)("opening a store reports that", { concurrent: true }, () => {
  it.each([
    "",
    "redis://",
    "http://127.0.0.1",
    "redis-cluster://",
    "redis-cluster://a:b:c",
    "/tmp/redis.sock",
    "redis://127.0.0.1:99999",
    "redis://127.0.0.1:0",
    "redis://127.0.0.1/abc",
    "redis://127.0.0.1/-1",
    "redis://127.0.0.1/1.5",
    "redis://127.0.0.1/0/1",
    "redis://127.0.0.1?password=hunter2",
    "redis://127.0.0.1#1",
    "redis://:100%@127.0.0.1",
    "redis-cluster://a:99999",
    "redis-cluster://,",
    "redis-cluster://:100%@a:1",
  ])("the address %j is invalid", async (url) => {
    await expect(openRedisStore({ url })).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("the database does not exist, and does not use database 0", async () => {
    await using server = await startRedisServer(["--databases", "4"]);
    await expect(openRedisStore({ url: `${server.url}/4` })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("has no database 4"),
    });
    await using store = await openRedisStore({ url: `${server.url}/3` });
    await store.commit("p05", { mutations: [{ type: "set", key: ["p05", "a"], value: "x" }] });
    expect(server.run("info", "keyspace")).toMatch(/^# Keyspace\s+db3:/u);
  });

  it("the database does not exist after a restart, and writes nothing", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: `${server.url}/3` });
    await store.commit("p05", { mutations: [{ type: "set", key: ["p05", "a"], value: "x" }] });
    await server.kill9();
    await using fewer = await startRedisServer(["--databases", "2", "--port", String(server.port)]);
    for (const until = performance.now() + 2_500; performance.now() < until;) {
      await expect(
        store.commit("p05", { mutations: [{ type: "set", key: ["p05", "a"], value: "y" }] }),
      ).rejects.toMatchObject({ code: "unavailable" });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(fewer.run("-p", String(server.port), "info", "keyspace").trim()).toBe("# Keyspace");
  });

  it("the password is wrong, at once and without the password", async () => {
    await using server = await startRedisServer(["--requirepass", "right"]);
    const url = server.url.replace("//", "//:not-quite-right@");
    const { error, ms } = await timed(openRedisStore({ url }));
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("WRONGPASS") });
    expect(String(error)).not.toContain("not-quite-right");
    expect(ms).toBeLessThan(2_000);
  });

  it("a server is unreachable, with its address", async () => {
    await expect(openRedisStore({ url: "redis://127.0.0.1:1" })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("127.0.0.1:1"),
    });
  });

  it("a Cluster is unreachable, with its addresses", async () => {
    await expect(openRedisStore({ url: "redis-cluster://127.0.0.1:1,127.0.0.1:2" })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("Redis at 127.0.0.1:1,127.0.0.1:2 is unreachable"),
    });
  });

  it("a server is not a Cluster", async () => {
    await using server = await startRedisServer();
    const url = server.url.replace("redis:", "redis-cluster:");
    await expect(openRedisStore({ url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("It is not a Cluster. Use redis://host:port"),
    });
  });

  it("a server evicts data when it is full", async () => {
    await using server = await startRedisServer([
      "--maxmemory",
      "100mb",
      "--maxmemory-policy",
      "allkeys-lru",
    ]);
    await expect(openRedisStore({ url: server.url })).rejects.toMatchObject({
      message: expect.stringContaining("noeviction"),
    });
  });

  it.each([
    ["has no append-only file causes a warning", [], [expect.stringContaining("Set appendonly yes")]],
    ["has an append-only file causes no warning", ["--appendonly", "yes"], []],
  ])("a server that %s", async (_, settings: readonly string[], expected: readonly unknown[]) => {
    await using server = await startRedisServer(settings);
    const warnings: string[] = [];
    await using store = await openRedisStore({
      url: server.url,
      onWarning: (warning) => warnings.push(warning),
    });
    expect(await store.get(key)).toBeUndefined();
    expect(warnings).toEqual(expected);
  });

  // Other tests cause the warning too.
  it("Redis is not durable, by default with a process warning", { concurrent: false }, async () => {
    await using server = await startRedisServer();
    const warned = once(process, "warning");
    await using store = await openRedisStore({ url: server.url });
    expect(await store.get(key)).toBeUndefined();
    expect(await warned).toEqual([expect.objectContaining({ code: "HOOKWRIGHT_REDIS_NOT_DURABLE" })]);
  });

  it("a server may require TLS", async ({ onTestFinished }) => {
    const server = createTlsServer({}).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await expect(openRedisStore({ url: `redis://127.0.0.1:${port}` })).rejects.toMatchObject({
      message: expect.stringContaining("If it uses TLS, use rediss:"),
    });
  });

  it("a server may not support TLS", async () => {
    await using server = await startRedisServer();
    await expect(openRedisStore({ url: server.url.replace("redis:", "rediss:") })).rejects.toMatchObject({
      message: expect.stringContaining("If it uses TLS, use rediss:"),
    });
  });

  it("the data has another layout", async () => {
    await using server = await startRedisServer();
    server.run("set", "{hookwright:layout}", "999");
    await expect(openRedisStore({ url: server.url })).rejects.toMatchObject({
      message: expect.stringContaining("layout 999"),
    });
  });
});

describe.runIf(hasRedisServer)("a store whose server", { concurrent: true }, () => {
  it("forgets its scripts still works", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await set(store, "1");
    server.run("script", "flush");
    await Promise.all([add(store), add(store), store.list({ prefix: ["p05"], limit: 1 })]);
    expect(await store.get(key)).toBe("3");
  });

  it("does not receive the other keys of a read with an invalid key, so there is no unhandled rejection", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    server.run("config", "resetstat");
    await expect(store.getMany([key, ["p05", 0.5]])).rejects.toMatchObject({ code: "invalid_key" });
    await store.list({ prefix: ["p05"], limit: 1 });
    expect(callsOf(server, "hmget")).toBe(0);
  });

  it.each(serversOnPath)("is a %s that rejects a commit by its ACL reports the ACL", async (program) => {
    await using server = await startRedisServer([], { program });
    await using store = await openRedisStore({ url: server.url });
    await set(store, "1");
    server.run("acl", "setuser", "default", "-@write");
    await expect(set(store, "2")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("Extend the ACL"),
    });
    server.run("acl", "setuser", "default", "+@write");
    expect(await store.get(key)).toBe("1");
  });

  it("is flushed continues without data", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await set(store, "1");
    server.run("flushall");
    expect(await store.get(key)).toBeUndefined();
    await set(store, "2");
    expect(await store.list({ prefix: ["p05"], limit: 9 })).toEqual([{ key, value: "2" }]);
  });

  it("stops replying fails within seconds, then at once, and recovers", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await set(store, "1");
    server.signal("SIGSTOP");
    const first = await timed(store.get(key));
    expect(first.error).toMatchObject({ code: "unavailable" });
    expect(first.ms).toBeLessThan(4_000);
    await untilFailsAtOnce(store);
    server.signal("SIGCONT");
    const back = await timed(untilSucceeds(() => store.get(key)));
    expect(back.ms).toBeLessThan(3_000);
    expect(await store.get(key)).toBe("1");
  }, 30_000);

  it("stops replying reports an unknown outcome for sent commits", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await add(store);
    server.signal("SIGSTOP");
    const commits: Promise<unknown>[] = [];
    // One by one: the first time-out closes the connection while others are in flight. On a slow machine
    // there are fewer.
    for (const until = performance.now() + 1_000; commits.length < 40 && performance.now() < until;) {
      commits.push(add(store));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const outcomes = await Promise.allSettled(commits);
    server.signal("SIGCONT");
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { message: expect.stringContaining("is unknown") },
      });
    }
  });

  it("is restarted reconnects", async () => {
    await using server = await startRedisServer(["--appendonly", "yes", "--appendfsync", "always"]);
    await using store = await openRedisStore({ url: server.url });
    await set(store, "1");
    await server.kill9();
    const gone = await timed(store.get(key));
    expect(gone.error).toMatchObject({
      code: "unavailable",
      reason: "unreachable",
      message: expect.stringContaining("unreachable"),
    });
    expect(gone.ms).toBeLessThan(4_000);
    await server.start();
    expect(await untilSucceeds(() => store.get(key))).toBe("1");
  }, 30_000);

  it("restarts within the time-out completes waiting commands", async () => {
    await using server = await startRedisServer(["--appendonly", "yes", "--appendfsync", "always"]);
    await using store = await openRedisStore({ url: server.url });
    await set(store, "1");
    await server.kill9();
    const reading = untilSucceeds(() => store.get(key));
    await server.start();
    expect(await reading).toBe("1");
  }, 30_000);

  it("is full rejects commits with that reason and still reads", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await set(store, "1");
    server.run("config", "set", "maxmemory", "1");
    await expect(set(store, "2")).rejects.toMatchObject({
      code: "unavailable",
      isFull: true,
      reason: "out_of_memory",
      message: expect.stringMatching(/OOM.*Nothing was written.*memory is full/su),
    });
    expect(await store.list({ prefix: ["p05"], limit: 9 })).toEqual([{ key, value: "1" }]);
    server.run("config", "set", "maxmemory", "0");
    await set(store, "2");
    expect(await store.get(key)).toBe("2");
  });

  it("becomes a replica rejects commits until it is the master again", async () => {
    await using master = await startRedisServer();
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await set(store, "1");
    server.run("replicaof", "127.0.0.1", String(master.port));
    const refusal = { code: "unavailable", isFull: false, reason: "read_only_replica" };
    await expect(set(store, "2")).rejects.toMatchObject(refusal);
    server.run("replicaof", "no", "one");
    await untilSucceeds(() => set(store, "3"));
    expect(await store.get(key)).toBe("3");
  }, 30_000);

  it("loses the connection during a commit never receives that commit twice", async () => {
    await using server = await startRedisServer();
    let isMuted = false;
    await using proxy = await startTcpProxy(server.port, { reply: () => !isMuted });
    /** After Redis has had time to execute commands. */
    const cutSoon = () => new Promise((resolve) => setTimeout(resolve, 20)).then(proxy.cut);
    const store = await openRedisStore({ url: `redis://127.0.0.1:${proxy.port}` });
    await add(store);
    let happened = 0;
    for (let round = 0; round < 20; round++) {
      const before = Number((await untilSucceeds(() => store.get(key))) ?? 0);
      // The commit arrives, but its reply is lost.
      isMuted = true;
      const { error } = await timed(Promise.all([add(store), cutSoon()]));
      expect(error).toMatchObject({ code: "unavailable" });
      isMuted = false;
      const after = Number(await untilSucceeds(() => store.get(key)));
      expect(after - before).toBeOneOf([0, 1]);
      happened += after - before;
    }
    expect(happened).toBeGreaterThan(0);
    await store.close();
  }, 60_000);

  it("is killed during writes keeps every acknowledged commit", async () => {
    await using server = await startRedisServer(["--appendonly", "yes", "--appendfsync", "always"]);
    await using store = await openRedisStore({ url: server.url });
    const acknowledged = new Set<number>();
    for (let round = 0; round < 5; round++) {
      let running = true;
      const writers = Array.from({ length: 20 }, async (_, writer) => {
        for (let count = 0; running; count++) {
          const number = (round * 20 + writer) * 1_000_000 + count;
          const commit = store.commit("p05", {
            mutations: [{ type: "set", key: ["p05", "row", number], value: "" }],
          });
          try {
            await commit;
            acknowledged.add(number);
          } catch {
            running = false;
          }
        }
      });
      // During the writes: each writer is at its third commit or later.
      const before = acknowledged.size;
      while (running && acknowledged.size < before + 50)
        await new Promise((resolve) => setImmediate(resolve));
      await server.kill9();
      await Promise.all(writers);
      await server.start();
      await untilSucceeds(() => store.get(key));
      const kept = await store.list({ prefix: ["p05", "row"], limit: 1_000_000 });
      const numbers = new Set(kept.map((entry) => entry.key.at(-1)));
      expect([...acknowledged].filter((number) => !numbers.has(number))).toEqual([]);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(250);
  }, 60_000);
});

describe.runIf(hasRedisServer)("a Cluster", () => {
  it("that loses one master still serves the partitions of the others", async () => {
    await using cluster = await startRedisCluster(["--cluster-require-full-coverage", "no"]);
    await using store = await openRedisStore({ url: cluster.url });
    const partitions = Array.from({ length: 64 }, (_, number) => `p${String(number).padStart(2, "0")}`);
    await Promise.all(partitions.map((name) => store.get([name, "a"])));
    await cluster.nodes[0]?.kill9();
    const answers = await Promise.all(partitions.map((name) => timed(store.get([name, "a"]))));
    expect(answers.every(({ ms }) => ms < 4_000)).toBe(true);
    const failed = answers.filter(({ error }) => error !== undefined).length;
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(40);
  }, 60_000);

  it(
    "does not keep a process alive that closes its store during a slot refresh",
    { tags: ["long"], timeout: 60_000 },
    async () => {
      await using cluster = await startRedisCluster();
      const program = `
      const { openRedisStore } = await import(${JSON.stringify(new URL("../src/redis.ts", import.meta.url))});
      const store = await openRedisStore({ url: process.argv[1] });
      console.log("open");
      // The slots are refreshed every five seconds.
      setTimeout(() => store.close().then(() => console.log("closed")), 5_500);
    `;
      const child = spawn(process.execPath, ["--input-type=module", "--eval", program, cluster.url]);
      onTestFinished(() => void child.kill("SIGKILL"));
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        const signal = text.includes("open") ? "SIGSTOP" : "SIGCONT";
        for (const node of cluster.nodes) node.signal(signal);
      });
      expect(await ended).toBe(0);
    },
  );

  it("that is down when its store closes gets no more slot refreshes", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await using cluster = await startRedisCluster();
    await using store = await openRedisStore({ url: cluster.url });
    const timers = vi.getTimerCount();
    for (const node of cluster.nodes) await node.kill9();
    await expect(store.get(key)).rejects.toMatchObject({ code: "unavailable" });
    await store.close();
    vi.advanceTimersByTime(5_000);
    expect(vi.getTimerCount()).toBe(timers - 1);
  }, 60_000);

  it(
    "serves all partitions after a failover, with all replicated commits",
    { tags: ["long"], timeout: 60_000 },
    async () => {
      await using cluster = await startRedisCluster();
      await using replica = await startRedisServer([
        "--cluster-enabled",
        "yes",
        "--cluster-node-timeout",
        "2000",
      ]);
      const [first] = cluster.nodes;
      if (first === undefined) throw new Error("the Cluster has no node");
      const id = first.run("cluster", "myid").trim();
      const [joining, joined] = [`127.0.0.1:${replica.port}`, `127.0.0.1:${first.port}`];
      first.run("--cluster", "add-node", joining, joined, "--cluster-slave", "--cluster-master-id", id);
      await using store = await openRedisStore({ url: cluster.url });
      const partitions = Array.from({ length: 64 }, (_, number) => `p${String(number).padStart(2, "0")}`);
      const write = (name: string, value: string) =>
        store.commit(name, { mutations: [{ type: "set", key: [name, "a"], value }] });
      await Promise.all(partitions.map((name) => write(name, "before")));
      const own = first.run("dbsize").trim();
      while (replica.run("dbsize").trim() !== own) await new Promise((resolve) => setTimeout(resolve, 50));
      await first.kill9();
      await Promise.all(partitions.map((name) => untilSucceeds(() => write(name, "after"))));
      const texts = await store.getMany(partitions.map((name): Key => [name, "a"]));
      expect(new Set(texts)).toEqual(new Set(["after"]));
      expect(replica.run("role")).toMatch(/^master/u);
    },
  );
});

describe.runIf(hasRedisServer)("during a slot migration, a Cluster", () => {
  let cluster: RedisCluster;
  let prefix = "";
  let opened = 0;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  /** Each test moves a slot of its own. */
  function openStore(): Promise<Store> {
    prefix = `moving-${opened++}`;
    return openRedisStore({ url: cluster.url, prefix, sweepIntervalMs: 3_600_000 });
  }

  /** Starts the migration of the slot of p05, before its keys are copied. Returns a function that cancels it. */
  function startMigration(): () => void {
    const { nodes } = cluster;
    const slot = nodes[0]?.run("cluster", "keyslot", `{${prefix}:p05}`).trim() ?? "";
    const from = nodes.find((node) => node.run("cluster", "countkeysinslot", slot).trim() === "3");
    const to = nodes.find((node) => node !== from);
    if (from === undefined || to === undefined) throw new Error("the Cluster has not the keys");
    to.run("cluster", "setslot", slot, "importing", from.run("cluster", "myid").trim());
    from.run("cluster", "setslot", slot, "migrating", to.run("cluster", "myid").trim());
    return () => {
      for (const node of [from, to]) node.run("cluster", "setslot", slot, "stable");
    };
  }

  it("applies a commit completely or not at all", async () => {
    await using store = await openStore();
    // All three keys of the partition exist, because Redis redirects commands that name a missing key.
    const mutations: Mutation[] = [{ type: "set", key, value: "1", expiresAt: Date.now() + 3_600_000 }];
    await store.commit("p05", { mutations });
    startMigration();
    await store.commit("p05", {
      mutations: [
        { type: "delete", key },
        { type: "sum", key: ["p05", "b"], amount: 1 },
      ],
    });
    expect(await store.list({ prefix: ["p05"], limit: 9 })).toEqual([{ key: ["p05", "b"], value: "1" }]);
  });

  it("applies no half commit if an earlier commit of the call emptied the index", async () => {
    await using store = await openStore();
    const entry: Key = ["p05", "log", "one"];
    const other: Key = ["p05", "b"];
    await store.commit("p05", {
      mutations: [
        { type: "set", key, value: "1", expiresAt: Date.now() + 3_600_000 },
        // Its mark stays in the hash after all rows are removed.
        { type: "set", key: entry, value: "" },
      ],
    });
    const endMove = startMigration();
    await Promise.allSettled([
      store.commit("p05", {
        mutations: [
          { type: "delete", key },
          { type: "delete", key: entry },
        ],
      }),
      store.commit("p05", { mutations: [{ type: "set", key: other, value: "text" }] }),
    ]);
    endMove();
    const found = await store.get(other);
    const listed = await store.list({ prefix: ["p05"], limit: 9 });
    expect(listed).toEqual(found === undefined ? [] : [{ key: other, value: found }]);
  });

  it.each<[string, (now: number) => Mutation[]]>([
    [
      "and a sum that ends deleted",
      () => [
        { type: "sum", key: ["p05", "b"], amount: 1 },
        { type: "delete", key: ["p05", "b"] },
      ],
    ],
    [
      "and a sum that has expired",
      (now) => [{ type: "sum", key: ["p05", "b"], amount: 1, expiresAt: now - 1_000 }],
    ],
  ])("applies a commit that deletes the last row %s completely", async (_name, mutations) => {
    await using store = await openStore();
    await store.commit("p05", {
      mutations: [{ type: "set", key, value: "1", expiresAt: Date.now() + 3_600_000 }],
    });
    const endMove = startMigration();
    const deleting = store.commit("p05", {
      mutations: [{ type: "delete", key }, ...mutations(Date.now())],
    });
    await expect(deleting.finally(endMove)).resolves.toEqual({ ok: true });
    expect(await store.list({ prefix: ["p05"], limit: 9 })).toEqual([]);
  });
});

async function untilFailsAtOnce(store: Store): Promise<void> {
  for (;;) {
    const { error, ms } = await timed(store.get(key));
    expect(error).toMatchObject({ code: "unavailable" });
    if (ms < 20) return;
  }
}
