import { describe, expect, it } from "vitest";
import { partitions } from "../src/port.ts";
import type { Entry, Key, Mutation, Store } from "../src/port.ts";
import { openRedisStore } from "../src/redis.ts";
import { startRedisCluster } from "./support/redis-cluster.ts";
import { callsOf, hasRedisServer, startRedisServer, type RedisServer } from "./support/redis-server.ts";

/** Returns the number of scripts that the server has run since the last call. */
function scriptsOf(server: RedisServer): () => number {
  let before = 0;
  return () => {
    const all = callsOf(server, "evalsha");
    const since = all - before;
    before = all;
    return since;
  };
}

async function fill(store: Store, partition: string, count: number): Promise<void> {
  const mutations = Array.from({ length: count }, (_, row): Mutation => ({
    type: "set",
    key: [partition, "row", row],
    value: `${partition} ${row}`,
  }));
  await store.commit(partition, { mutations });
}

const rowsOf = (entries: readonly Entry[]): unknown[] => entries.map(({ key }) => key.at(-1));

describe.runIf(hasRedisServer)("lists within one iteration of the event loop", () => {
  it("are one call with separate results", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url, onWarning: () => {} });
    await fill(store, "p01", 20);
    await fill(store, "p02", 20);
    const scripts = scriptsOf(server);
    // The server learns the script with the first call.
    await store.list({ prefix: ["p01", "row"], limit: 1 });
    scripts();
    const prefix: Key = ["p01", "row"];
    const lists = await Promise.all([
      store.list({ prefix, limit: 2 }),
      store.list({ prefix: ["p01", "nothing"], limit: 2 }),
      store.list({ prefix, limit: 2, reverse: true }),
      store.list({ prefix, limit: 2 }),
      store.list({ prefix, limit: 3, after: ["p01", "row", 4], before: ["p01", "row", 7] }),
      store.list({ prefix: ["p02", "row"], limit: 1 }),
    ]);
    expect(lists.map(rowsOf)).toEqual([[0, 1], [], [19, 18], [0, 1], [5, 6], [0]]);
    expect(lists[5]?.[0]?.value).toBe("p02 0");
    expect(scripts()).toBe(1);
  });

  it("are one call for each partition in a Cluster", async () => {
    await using cluster = await startRedisCluster();
    await using store = await openRedisStore({ url: cluster.url, onWarning: () => {} });
    await Promise.all(partitions.map((partition) => fill(store, partition, 2)));
    const lists = await Promise.all(
      partitions.map((partition) => store.list({ prefix: [partition, "row"], limit: 1 })),
    );
    expect(lists.map(([entry]) => entry?.value)).toEqual(partitions.map((partition) => `${partition} 0`));
  });

  it("fail independently if the data of one partition is damaged", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url, onWarning: () => {} });
    for (const partition of ["p01", "p02", "p03"]) await fill(store, partition, 3);
    server.run("set", "{hookwright:p01}:index", "no index");
    server.run("set", "{hookwright:p02}:rows", "no rows");
    const lists = await Promise.allSettled(
      ["p01", "p02", "p03"].map((partition) => store.list({ prefix: [partition, "row"], limit: 1 })),
    );
    const damaged = { code: "unavailable", message: expect.stringContaining("WRONGTYPE") };
    expect(lists).toMatchObject([
      { status: "rejected", reason: damaged },
      { status: "rejected", reason: damaged },
      { status: "fulfilled", value: [{ value: "p03 0" }] },
    ]);
  });

  it("are several calls if they are too large for one", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url, onWarning: () => {} });
    await fill(store, "p01", 600);
    const scripts = scriptsOf(server);
    await store.list({ prefix: ["p01", "row"], limit: 1 });
    scripts();
    const page = (after: number) =>
      store.list({ prefix: ["p01", "row"], after: ["p01", "row", after], limit: 300 });
    const pages = await Promise.all([page(0), page(1), page(2)]);
    expect(pages.map((entries) => [entries.length, rowsOf(entries)[0]])).toEqual([
      [300, 1],
      [300, 2],
      [300, 3],
    ]);
    expect(scripts()).toBe(3);
    const seeks = await Promise.all(
      Array.from({ length: 70 }, (_, row) =>
        store.list({ prefix: ["p01", "row"], after: ["p01", "row", row], limit: 1 }),
      ),
    );
    expect(seeks.flatMap(rowsOf)).toEqual(Array.from({ length: 70 }, (_, row) => row + 1));
    expect(scripts()).toBe(3);
    // A list that exceeds the limit is a call of its own.
    expect(await store.list({ prefix: ["p01", "row"], limit: 5_000 })).toHaveLength(600);
  });

  it("fail together and can be repeated", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url, onWarning: () => {} });
    await fill(store, "p01", 3);
    const list = () => store.list({ prefix: ["p01", "row"], limit: 1 });
    server.run("acl", "setuser", "default", "-@scripting");
    const refused = await Promise.allSettled([list(), list(), store.list({ prefix: ["p01"], limit: 2 })]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    server.run("acl", "setuser", "default", "+@scripting");
    expect(rowsOf(await list())).toEqual([0]);
  });
});
