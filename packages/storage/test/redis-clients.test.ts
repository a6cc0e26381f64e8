import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createStorage } from "unstorage";
import redisDriver from "unstorage/drivers/redis";
import { describe, expect, it } from "vitest";
import type { Key, Store } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { hasRedisServer, redisProgram, startRedisServer } from "./support/redis-server.ts";

const key: Key = ["p05", "a"];
const set = (store: Store, value: string) =>
  store.commit("p05", { mutations: [{ type: "set", key, value }] });

describe.runIf(hasRedisServer)("a Redis store", () => {
  it("takes the client of unstorage's redis driver", async () => {
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

  it("gets by with the rights that the documentation names", async () => {
    await using server = await startRedisServer();
    const rights = "+@read +@write +@scripting +@pubsub +@connection +info ~{hookwright:* &hookwright:*";
    server.run("acl", "setuser", "hookwright", "on", ">secret", ...rights.split(" "));
    const url = server.url.replace("//", "//hookwright:secret@");
    await using store = await openRedisStore({ url, sweepIntervalMs: 20 });
    await using other = await openRedisStore({ url });
    const woken = new Promise<void>((resolve) => store.watch("p05", resolve));
    await other.commit("p05", {
      mutations: [
        { type: "set", key, value: "1", expiresAt: Date.now() + 1 },
        { type: "sum", key: ["p05", "b"], amount: 1 },
      ],
    });
    // The subscription may be a moment behind: commits wake until it is there.
    const waking = setInterval(() => void other.commit("p05", { mutations: [], wake: true }), 20);
    await woken;
    clearInterval(waking);
    expect(await store.list({ prefix: ["p05"], limit: 9 })).toEqual([{ key: ["p05", "b"], value: "1" }]);
    while (server.run("hlen", "{hookwright:p05}:rows").trim() !== "1") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it("follows its master to another server, as Sentinel leads it", async () => {
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

async function startSentinel(masterPort: number, directory: string) {
  const port = masterPort + 1;
  const file = join(directory, "sentinel.conf");
  await writeFile(
    file,
    `port ${port}\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 ${masterPort} 1\nsentinel down-after-milliseconds main 500\nsentinel failover-timeout main 2000\n`,
  );
  const child = spawn(redisProgram, [file, "--sentinel"], { stdio: ["ignore", "pipe", "ignore"] });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  // It has to learn of the replica before it can lead anybody there.
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (text.includes("+slave")) resolve();
    });
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      process.off("exit", kill);
      const exited = new Promise((resolve) => child.once("exit", resolve));
      kill();
      await exited;
    },
  };
}
