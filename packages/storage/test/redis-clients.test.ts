import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Cluster, Redis } from "ioredis";
import { createStorage } from "unstorage";
import redisDriver from "unstorage/drivers/redis";
import { afterAll, describe, expect, it } from "vitest";
import { partitions, type Key, type Store } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { startRedisCluster } from "./support/redis-cluster.ts";
import { hasRedisServer, redisProgram, startRedisServer } from "./support/redis-server.ts";
import type { RedisServer } from "./support/redis-server.ts";
import { startService } from "./support/service.ts";

const key: Key = ["p05", "a"];
const set = (store: Store, value: string) =>
  store.commit("p05", { mutations: [{ type: "set", key, value }] });

describe.runIf(hasRedisServer)("a Redis store", () => {
  let shared: Promise<RedisServer> | undefined;
  const sharedServer = (): Promise<RedisServer> => (shared ??= startRedisServer());
  afterAll(async () => (await shared)?.[Symbol.asyncDispose]());

  it("accepts the client of unstorage's redis driver", async () => {
    await using server = await startRedisServer();
    const driver = redisDriver({ url: server.url });
    const storage = createStorage({ driver });
    await storage.setItem("theirs", "kept");
    const client = driver.getInstance?.();
    if (client === undefined) throw new Error("the driver has no client");
    const store = await openRedisStore({ client });
    await set(store, "ours");
    expect(await store.get(key)).toBe("ours");
    await store.close();
    expect(await storage.getItem("theirs")).toBe("kept");
    await storage.dispose();
  });

  it("rejects a client that cannot create commands, and leaves no connection open", async () => {
    await using server = await startRedisServer();
    const client = new Redis(server.url);
    const duplicate = client.duplicate.bind(client);
    let ours: Redis | undefined;
    client.duplicate = (settings) => {
      ours = Object.assign(duplicate(settings), { call: async () => "something else" });
      return ours;
    };
    await expect(openRedisStore({ client })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("ioredis 5"),
    });
    expect(ours?.status).toMatch(/^(close|end|wait)/u);
    client.disconnect();
  });

  it("needs only the permissions in the documentation", async () => {
    await using server = await startRedisServer();
    const rights =
      "+@read +@write +@scripting +@pubsub +@connection +info +time ~{hookwright:* &hookwright:*";
    server.run("acl", "setuser", "hookwright", "on", ">secret", ...rights.split(" "));
    const url = server.url.replace("//", "//hookwright:secret@");
    await using store = await openRedisStore({ url, sweepIntervalMs: 20 });
    await using other = await openRedisStore({ url });
    const notified = new Promise((resolve) => store.watch(resolve));
    await other.commit("p05", {
      mutations: [
        { type: "set", key, value: "1", expiresAt: Date.now() + 1 },
        { type: "sum", key: ["p05", "b"], amount: 1 },
      ],
    });
    // Wait for the subscription.
    const notifying = setInterval(
      () => void other.commit("p05", { mutations: [], notify: [["p05", "a"]] }),
      20,
    );
    await notified;
    clearInterval(notifying);
    expect(await store.list({ prefix: ["p05"], limit: 9 })).toEqual([{ key: ["p05", "b"], value: "1" }]);
    while (server.run("hlen", "{hookwright:p05}:rows").trim() !== "1") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it.each([
    ["resetchannels", "publish, subscribe", "&hookwright:*"],
    ["-publish", "publish", "+@pubsub"],
    ["-subscribe", "subscribe", "+@pubsub"],
    ["-hdel", "hdel", "+@write"],
    ["-hset", "hset", "+@write"],
    ["-zadd", "zadd", "+@write"],
    ["-zrem", "zrem", "+@write"],
    ["-exists -hget -hmget", "hget, hmget, exists", "+@read"],
    ["-zmscore -zrangebylex", "zmscore, zrangebylex", "+@read"],
    ["-zrevrangebylex -zrangebyscore", "zrevrangebylex, zrangebyscore", "+@read"],
    ["resetkeys ~{hookwright:layout} ~{hookwright:p0*", "access one of the keys", "~{hookwright:*"],
    ["resetkeys %R~* ~{hookwright:layout}", "access one of the keys", "~{hookwright:*"],
    ["-eval -evalsha", "evalsha", "+@scripting"],
    ["-set", "set", "+@write"],
  ])("refuses a user with %s, and names %s and the ACL", async (change, commands, rule) => {
    const server = await sharedServer();
    server.run("flushall");
    server.run("acl", "setuser", "worker", "reset", "on", ">secret", "allcommands", "allkeys", "allchannels");
    server.run("acl", "setuser", "worker", ...change.split(" "));
    const url = server.url.replace("//", "//worker:secret@");
    const error: unknown = await openRedisStore({ url, onWarning: () => {} }).catch(
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({ code: "unavailable", reason: "not_authorized" });
    const { message } = error instanceof Error ? error : { message: "" };
    expect(message).toContain(commands);
    expect(message).toContain("ACL SETUSER worker ");
    expect(message).toContain(rule);
    expect(server.run("keys", "*:rows").trim()).toBe("");
  });

  it("does not refuse a commit whose notification Redis refuses", async () => {
    const server = await sharedServer();
    server.run("acl", "setuser", "worker", "reset", "on", ">secret", "allcommands", "allkeys", "allchannels");
    const url = server.url.replace("//", "//worker:secret@");
    await using store = await openRedisStore({ url, prefix: "silent", onWarning: () => {} });
    server.run("acl", "setuser", "worker", "resetchannels");
    const mutations = [{ type: "set", key, value: "1" }] as const;
    expect(await store.commit("p05", { mutations, notify: [key] })).toEqual({ ok: true });
    expect(await store.get(key)).toBe("1");
  });

  it("removes expired entries with a client that returns numbers as strings", async () => {
    await using server = await startRedisServer();
    const client = new Redis({ port: server.port, stringNumbers: true, lazyConnect: true });
    let time = 1_800_000_000_000;
    await using store = await openRedisStore({ client, now: () => time, sweepIntervalMs: 3_000 });
    const mutations = Array.from({ length: 5_000 }, (_, index) => {
      return { type: "set", key: ["p05", index], value: "", expiresAt: time + 1 } as const;
    });
    await store.commit("p05", { mutations });
    time += 1_000;
    while (server.run("zcard", "{hookwright:p05}:expiries").trim() !== "0") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(server.run("keys", "{hookwright:p05}:*").trim()).toBe("");
  });

  it(
    "reads acknowledged commits with a client that reads from replicas",
    { tags: ["long"], timeout: 60_000 },
    async () => {
      await using cluster = await startRedisCluster();
      await using replica = await startRedisServer(["--cluster-enabled", "yes"]);
      const [master] = cluster.nodes;
      if (master === undefined) throw new Error("the Cluster has no node");
      const id = master.run("cluster", "myid").trim();
      const [joining, joined] = [`127.0.0.1:${replica.port}`, `127.0.0.1:${master.port}`];
      master.run("--cluster", "add-node", joining, joined, "--cluster-slave", "--cluster-master-id", id);
      while (!master.run("cluster", "slots").includes(String(replica.port))) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const client = new Cluster([{ host: "127.0.0.1", port: master.port }], {
        scaleReads: "slave",
        lazyConnect: true,
      });
      await using store = await openRedisStore({ client });
      for (const partition of partitions) await store.get([partition, "a"]);
      expect(replica.run("info", "commandstats")).not.toContain("hmget");
    },
  );

  it(
    "finds its master again after all Sentinels were down",
    { tags: ["long"], timeout: 60_000 },
    async () => {
      await using master = await startRedisServer();
      await using replica = await startRedisServer(["--replicaof", "127.0.0.1", String(master.port)]);
      const gone = await startSentinel(master.port, replica.directory);
      const client = new Redis({
        sentinels: [{ host: "127.0.0.1", port: gone.port }],
        name: "main",
        lazyConnect: true,
        sentinelRetryStrategy: () => null,
      });
      await using store = await openRedisStore({ client });
      await gone[Symbol.asyncDispose]();
      await master.kill9();
      // The second commit fails at once, because the Sentinels were down for longer than the time-out.
      for (let attempt = 0; attempt < 2; attempt++) {
        await expect(set(store, "before")).rejects.toMatchObject({
          message: expect.stringContaining(`the master main of the Sentinels 127.0.0.1:${gone.port}`),
        });
      }
      await master.start();
      await using _sentinel = await startSentinel(master.port, replica.directory);
      for (;;) {
        const written = await set(store, "after").catch(() => undefined);
        if (written !== undefined) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(await store.get(key)).toBe("after");
    },
  );

  it("skips an unresponsive Sentinel", async () => {
    await using master = await startRedisServer();
    await using replica = await startRedisServer(["--replicaof", "127.0.0.1", String(master.port)]);
    await using silent = await startSentinel(master.port, replica.directory);
    await using other = await startSentinel(master.port, master.directory, silent.port + 1);
    silent.signal("SIGSTOP");
    const client = new Redis({
      sentinels: [silent, other].map(({ port }) => ({ host: "127.0.0.1", port })),
      name: "main",
      lazyConnect: true,
    });
    await using store = await openRedisStore({ client });
    expect(await set(store, "1")).toEqual({ ok: true });
  }, 60_000);

  it("follows a Sentinel failover to the new master", async () => {
    await using master = await startRedisServer();
    await using replica = await startRedisServer(["--replicaof", "127.0.0.1", String(master.port)]);
    await using sentinel = await startSentinel(master.port, replica.directory);
    const client = new Redis({
      sentinels: [{ host: "127.0.0.1", port: sentinel.port }],
      name: "main",
      lazyConnect: true,
    });
    await using store = await openRedisStore({ client });
    await set(store, "before");
    while (replica.run("hlen", "{hookwright:p05}:rows").trim() !== "1") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await master.kill9();
    for (;;) {
      const written = await set(store, "after").then(
        () => true,
        () => false,
      );
      if (written) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await store.get(key)).toBe("after");
    expect(replica.run("hlen", "{hookwright:p05}:rows").trim()).toBe("1");
    expect(replica.run("role")).toMatch(/^master/u);
  }, 60_000);
});

async function startSentinel(masterPort: number, directory: string, port = masterPort + 1) {
  const file = join(directory, "sentinel.conf");
  await writeFile(
    file,
    `port ${port}\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 ${masterPort} 1\nsentinel down-after-milliseconds main 500\nsentinel failover-timeout main 2000\n`,
  );
  const sentinel = await startService({
    name: "Redis Sentinel",
    program: redisProgram,
    args: [file, "--sentinel"],
    // It must find the replica before it can fail over.
    ready: /\+slave/u,
  });
  return {
    port,
    signal: sentinel.signal,
    [Symbol.asyncDispose]: () => sentinel.end("SIGKILL"),
  };
}
