import { connect as connectTo, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Key, Store } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";

/** Resolves once the watcher hears of a commit of the other; the subscription may be a moment behind, so commits go on until then. */
async function untilWoken(watcher: Store, other: Store): Promise<void> {
  const woken = Promise.withResolvers<void>();
  const unwatch = watcher.watch("p05", () => woken.resolve());
  const waking = setInterval(() => {
    other.commit("p05", { mutations: [], wake: true }).catch(() => {});
  }, 20);
  await woken.promise.finally(() => {
    clearInterval(waking);
    unwatch();
  });
}

/** Passes connections on to a port. One that subscribes is broken off as long as `breaksOff` is set: the server never hears of it. */
async function startProxy(port: number) {
  const state = { breaksOff: false, brokenOff: 0 };
  const proxy = createServer((socket) => {
    const server = connectTo(port, "127.0.0.1");
    socket.on("error", () => {}).on("close", () => server.destroy());
    server.on("error", () => {}).on("close", () => socket.destroy());
    server.pipe(socket);
    socket.on("data", (bytes: Buffer) => {
      if (!state.breaksOff || !/\bsubscribe\b/u.test(bytes.toString("latin1"))) return server.write(bytes);
      state.brokenOff += 1;
      return socket.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  return { state, url: `redis://127.0.0.1:${isAddress(address) ? address.port : 0}` };
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

describe.runIf(hasRedisServer)("wake-ups of other processes", () => {
  it("that may not be heard any more are no fault, and are heard again once they may", async () => {
    await using server = await startRedisServer();
    const rights = ["+@read", "+@write", "+@scripting", "+@pubsub", "+@connection", "+info", "~*", "&*"];
    server.run("acl", "setuser", "worker", "on", ">password", ...rights);
    const url = server.url.replace("//", "//worker:password@");
    await using watcher = await openRedisStore({ url });
    await using other = await openRedisStore({ url: server.url });
    const stays = watcher.watch("p05", () => {});
    await untilWoken(watcher, other);
    server.run("acl", "setuser", "worker", "resetchannels");
    server.run("client", "kill", "user", "worker");
    await expect.poll(() => server.run("acl", "log")).toContain("subscribe");
    server.run("acl", "setuser", "worker", "allchannels");
    server.run("client", "kill", "user", "worker");
    await untilWoken(watcher, other);
    expect(server.run("pubsub", "channels")).toContain("hookwright:wake:p05");
    stays();
  });

  it("are heard again when a connection was lost just as they were asked for", async () => {
    await using server = await startRedisServer();
    const proxy = await startProxy(server.port);
    await using watcher = await openRedisStore({ url: proxy.url });
    await using other = await openRedisStore({ url: server.url });
    const heard = { count: 0 };
    watcher.watch("p05", () => (heard.count += 1));
    await untilWoken(watcher, other);
    proxy.state.breaksOff = true;
    server.run("client", "kill", "type", "pubsub");
    await expect.poll(() => proxy.state.brokenOff).toBeGreaterThan(0);
    heard.count = 0;
    proxy.state.breaksOff = false;
    // For what was lost.
    await expect.poll(() => heard.count, { timeout: 4_000 }).toBe(1);
    await other.commit("p05", { mutations: [], wake: true });
    await expect.poll(() => heard.count).toBe(2);
  });

  it("come by themselves once a lost connection is back, for what nobody could hear meanwhile", async () => {
    await using server = await startRedisServer();
    await using watcher = await openRedisStore({ url: server.url });
    const heard: string[] = [];
    for (const partition of ["p05", "p06"]) {
      watcher.watch(partition, () => heard.push(partition));
      await expect.poll(() => server.run("pubsub", "channels")).toContain(`hookwright:wake:${partition}`);
    }
    expect(heard).toEqual([]);
    server.run("client", "kill", "type", "pubsub");
    await expect.poll(() => heard, { timeout: 4_000 }).toEqual(["p05", "p06"]);
  });

  it("come of each commit that asks for it, whatever is sent beside it, and of none that is refused", async () => {
    await using server = await startRedisServer();
    await using watcher = await openRedisStore({ url: server.url });
    await using other = await openRedisStore({ url: server.url });
    let heard = 0;
    watcher.watch("p05", () => (heard += 1));
    const behind = new Promise<void>((resolve) => watcher.watch("p06", () => resolve()));
    for (const partition of ["p05", "p06"])
      await expect.poll(() => server.run("pubsub", "channels")).toContain(`hookwright:wake:${partition}`);
    const failing = [{ key: ["p05", "none"], value: "" }] as const;
    await other.commit("p05", { checks: failing, mutations: [], wake: true });
    await other.commit("p05", { mutations: [] });
    // Those of one turn are one call.
    await Promise.all([
      other.commit("p05", { mutations: [], wake: true }),
      other.commit("p05", { mutations: [] }),
      other.commit("p05", { checks: failing, mutations: [], wake: true }),
    ]);
    // In their order: what is heard of the next partition comes behind all of them.
    await other.commit("p06", { mutations: [], wake: true });
    await behind;
    expect(heard).toBe(1);
  });

  it("say where something is new, unless one of those that are sent together does not", async () => {
    await using server = await startRedisServer();
    await using watcher = await openRedisStore({ url: server.url });
    await using other = await openRedisStore({ url: server.url });
    const heard: unknown[] = [];
    const heardByItself: unknown[] = [];
    watcher.watch("p05", (beneath) => heard.push(beneath));
    await expect.poll(() => server.run("pubsub", "channels")).toContain("hookwright:wake:p05");
    other.watch("p05", (beneath) => heardByItself.push(beneath));
    const one: Key = ["p05", "fresh", "ü", 1];
    const two: Key = ["p05", "fresh", 2];
    const commit = (wake: true | readonly Key[]) => other.commit("p05", { mutations: [], wake });
    await Promise.all([commit([one]), other.commit("p05", { mutations: [] }), commit([two, one])]);
    await expect.poll(() => heard).toEqual([[one, two]]);
    await Promise.all([commit([one]), commit(true)]);
    await expect.poll(() => heard).toEqual([[one, two], undefined]);
    await commit([two]);
    await expect.poll(() => heard).toEqual([[one, two], undefined, [two]]);
    expect(heardByItself).toEqual(heard);
    // As a version sends it that knows no keys.
    server.run("publish", "hookwright:wake:p05", "another-process");
    await expect.poll(() => heard).toEqual([[one, two], undefined, [two], undefined]);
  });

  it("are heard by whoever watches still, however often another watch is ended", async () => {
    await using server = await startRedisServer();
    await using watcher = await openRedisStore({ url: server.url });
    await using other = await openRedisStore({ url: server.url });
    let heard = 0;
    const end = watcher.watch("p05", () => {});
    const endLast = watcher.watch("p05", () => (heard += 1));
    end();
    end();
    // Behind what the ends may have been on the same connection.
    const behind = new Promise<void>((resolve) => watcher.watch("p06", () => resolve()));
    const channels = () => server.run("pubsub", "channels");
    await expect.poll(channels).toContain("hookwright:wake:p06");
    await other.commit("p05", { mutations: [], wake: true });
    await other.commit("p06", { mutations: [], wake: true });
    await behind;
    expect(heard).toBe(1);
    endLast();
    await expect.poll(channels).not.toContain("hookwright:wake:p05");
  });

  it("end with their store, which keeps no connection", async () => {
    await using server = await startRedisServer();
    const store = await openRedisStore({ url: server.url });
    store.watch("p05", () => {});
    await expect.poll(() => server.run("pubsub", "channels")).toContain("hookwright:wake:p05");
    await store.close();
    await expect.poll(() => server.run("client", "list", "type", "pubsub").trim()).toBe("");
    // The one that asks.
    await expect.poll(() => server.run("client", "list").trim().split("\n")).toHaveLength(1);
  });
});
