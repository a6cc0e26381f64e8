import { describe, expect, it } from "vitest";
import { partitions, type Key, type Store } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { startRedisCluster } from "./support/redis-cluster.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { startTcpProxy } from "./support/tcp-proxy.ts";

const channel = "hookwright:notifications";
const one: Key = ["p05", "fresh", "ü", 1];
const two: Key = ["p05", "fresh", 2];
const elsewhere: Key = ["p61", "fresh", 2];

/**
 * Resolves when the watcher has received a notification of the other store. Commits repeat until the
 * subscription is active.
 */
async function untilNotified(watcher: Store, other: Store): Promise<void> {
  const notified = Promise.withResolvers<void>();
  const unwatch = watcher.watch(() => notified.resolve());
  const notifying = setInterval(() => {
    other.commit("p05", { mutations: [], notify: [one] }).catch(() => {});
  }, 20);
  await notified.promise.finally(() => {
    clearInterval(notifying);
    unwatch();
  });
}

/** Starts a watch and resolves when the subscription is active. Earlier notifications are dropped. */
async function watch(store: Store) {
  const received: (readonly Key[] | undefined)[] = [];
  const unwatch = store.watch((keys) => received.push(keys));
  await expect.poll(() => received).toEqual([undefined]);
  received.length = 0;
  return { received, unwatch };
}

describe.runIf(hasRedisServer)("notifications of other processes", () => {
  it("are received again after Redis rejected the subscription for a time", async () => {
    await using server = await startRedisServer();
    const rights = [
      "+@read",
      "+@write",
      "+@scripting",
      "+@pubsub",
      "+@connection",
      "+info",
      "+time",
      "~*",
      "&*",
    ];
    server.run("acl", "setuser", "worker", "on", ">password", ...rights);
    const url = server.url.replace("//", "//worker:password@");
    await using watcher = await openRedisStore({ url });
    await using other = await openRedisStore({ url: server.url });
    const unwatch = watcher.watch(() => {});
    await untilNotified(watcher, other);
    server.run("acl", "setuser", "worker", "resetchannels");
    server.run("client", "kill", "user", "worker");
    await expect.poll(() => server.run("acl", "log")).toContain("subscribe");
    server.run("acl", "setuser", "worker", "allchannels");
    server.run("client", "kill", "user", "worker");
    await untilNotified(watcher, other);
    expect(server.run("pubsub", "channels")).toContain(channel);
    unwatch();
  });

  it("are received again if a connection is lost while it subscribes", async () => {
    await using server = await startRedisServer();
    let breaksOff = false;
    let brokenOff = 0;
    await using proxy = await startTcpProxy(server.port, {
      request(bytes, client) {
        if (!breaksOff || !/\bsubscribe\b/u.test(bytes.toString("latin1"))) return true;
        brokenOff += 1;
        client.destroy();
        return false;
      },
    });
    await using watcher = await openRedisStore({ url: `redis://127.0.0.1:${proxy.port}` });
    await using other = await openRedisStore({ url: server.url });
    const { received } = await watch(watcher);
    breaksOff = true;
    server.run("client", "kill", "type", "pubsub");
    await expect.poll(() => brokenOff).toBeGreaterThan(0);
    received.length = 0;
    breaksOff = false;
    await expect.poll(() => received).toEqual([undefined]);
    await other.commit("p05", { mutations: [], notify: [one] });
    await expect.poll(() => received).toEqual([undefined, [one]]);
  });

  it("may be lost with a connection, and every listener is notified of that", async () => {
    await using server = await startRedisServer();
    await using watcher = await openRedisStore({ url: server.url });
    const first = await watch(watcher);
    const second: unknown[] = [];
    watcher.watch((keys) => second.push(keys));
    server.run("client", "kill", "type", "pubsub");
    await expect.poll(() => [first.received, second]).toEqual([[undefined], [undefined]]);
  });

  it("may be lost before the subscription, and the listener is notified of that", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    const received: unknown[] = [];
    store.watch((keys) => received.push(keys));
    await expect.poll(() => received).toEqual([undefined]);
    expect(server.run("pubsub", "channels")).toContain(channel);
  });

  it("have the keys of the commits that were applied, of all partitions", async () => {
    await using server = await startRedisServer();
    await using watcher = await openRedisStore({ url: server.url });
    await using other = await openRedisStore({ url: server.url });
    const { received } = await watch(watcher);
    const { received: receivedByItself } = await watch(other);
    const checks = [{ key: ["p05", "none"], value: "" }] as const;
    // Commits of one partition and one event loop iteration are one call.
    await Promise.all([
      other.commit("p05", { mutations: [], notify: [one] }),
      other.commit("p05", { mutations: [] }),
      other.commit("p05", { checks, mutations: [], notify: [["p05", "refused"]] }),
      other.commit("p05", { mutations: [], notify: [two, one, two] }),
    ]);
    await expect.poll(() => received).toEqual([[one, two]]);
    await other.commit("p61", { mutations: [], notify: [elsewhere] });
    await expect.poll(() => received).toEqual([[one, two], [elsewhere]]);
    expect(receivedByItself).toEqual(received);
  });

  it("have no keys if their message is too long or unknown", async () => {
    await using server = await startRedisServer();
    await using watcher = await openRedisStore({ url: server.url });
    await using other = await openRedisStore({ url: server.url });
    const { received } = await watch(watcher);
    const notify = Array.from({ length: 2_000 }, (_, index): Key => ["p05", "x".repeat(40), index]);
    await other.commit("p05", { mutations: [], notify });
    await expect.poll(() => received).toEqual([undefined]);
    server.run("publish", channel, "another-version ?");
    await expect.poll(() => received).toEqual([undefined, undefined]);
  });

  it("end with the last watch, and with the store", async () => {
    await using server = await startRedisServer();
    const watcher = await openRedisStore({ url: server.url });
    await using other = await openRedisStore({ url: server.url });
    const { received, unwatch: endLast } = await watch(watcher);
    const end = watcher.watch(() => {});
    end();
    end();
    await other.commit("p05", { mutations: [], notify: [one] });
    await expect.poll(() => received).toEqual([[one]]);
    endLast();
    await expect.poll(() => server.run("pubsub", "channels")).not.toContain(channel);
    await watch(watcher);
    await watcher.close();
    await expect.poll(() => server.run("client", "list", "type", "pubsub").trim()).toBe("");
  });

  it("of a Cluster arrive from every node, also after a lost connection", async () => {
    await using cluster = await startRedisCluster();
    await using watcher = await openRedisStore({ url: cluster.url });
    await using other = await openRedisStore({ url: cluster.url });
    const { received } = await watch(watcher);
    for (const partition of partitions)
      await other.commit(partition, { mutations: [], notify: [[partition, "fresh"]] });
    const named = () => received.flatMap((keys) => keys ?? []).map(([partition]) => partition);
    // Notifications of different nodes have no common order.
    await expect.poll(() => named().toSorted()).toEqual(partitions);
    received.length = 0;
    for (const node of cluster.nodes) node.run("client", "kill", "type", "pubsub");
    await expect.poll(() => received).toEqual([undefined]);
    await other.commit("p05", { mutations: [], notify: [one] });
    await expect.poll(() => received).toEqual([undefined, [one]]);
  }, 60_000);

  it("of a Cluster arrive from another node if their node is down", async () => {
    await using cluster = await startRedisCluster(["--cluster-require-full-coverage", "no"]);
    await using watcher = await openRedisStore({ url: cluster.url });
    await using other = await openRedisStore({ url: cluster.url });
    const { received } = await watch(watcher);
    const gone = cluster.nodes.find((node) => node.run("pubsub", "channels").includes(channel));
    await gone?.kill9();
    await expect.poll(() => received.includes(undefined)).toBe(true);
    const reachable: string[] = [];
    for (const partition of partitions) {
      await other.commit(partition, { mutations: [], notify: [[partition, "fresh"]] }).then(
        () => reachable.push(partition),
        () => {},
      );
    }
    expect(reachable.length).toBeGreaterThan(0);
    const named = () => new Set(received.flatMap((keys) => keys ?? []).map(([partition]) => partition));
    await expect.poll(named).toEqual(new Set(reachable));
  }, 120_000);
});
