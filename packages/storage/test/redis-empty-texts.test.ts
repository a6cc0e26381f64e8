import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { encodeKey } from "../src/keys/key-codec.ts";
import type { Key, Mutation } from "../src/port.ts";
import { openRedisStore } from "../src/redis.ts";
import { callsOf, hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import type { RedisServer } from "./support/redis-server.ts";

const set = (key: Key, value: string, expiresAt?: number): Mutation => ({
  type: "set",
  key,
  value,
  expiresAt,
});
const remove = (key: Key): Mutation => ({ type: "delete", key });

/** The number of entries in the hash and in the index of the partition. */
function counts(server: RedisServer): { readonly rows: number; readonly index: number } {
  const fields = server.run("--raw", "hkeys", "{hookwright:p05}:rows").split("\n");
  return {
    rows: fields.filter((field) => field.startsWith("p05")).length,
    index: Number(server.run("zcard", "{hookwright:p05}:index")),
  };
}

describe.runIf(hasRedisServer)("rows with an empty text", () => {
  const entry: Key = ["p05", "log", "one"];
  const other: Key = ["p05", "log", "two"];

  it("are stored only in the index, and are read, listed and checked like others", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await store.commit("p05", { mutations: [set(entry, ""), set(other, "text"), set(["p05", "row"], "1")] });
    expect(counts(server)).toEqual({ rows: 2, index: 3 });
    expect(await store.get(entry)).toBe("");
    const keys: Key[] = [["p05", "log", "none"], other, entry, ["p05", "row"], ["p05", "none"]];
    expect(await store.getMany(keys)).toEqual([undefined, "text", "", "1", undefined]);
    expect(await store.list({ prefix: ["p05", "log"], limit: 9 })).toEqual([
      { key: entry, value: "" },
      { key: other, value: "text" },
    ]);
    const checks = [
      { key: entry, value: "" },
      { key: ["p05", "log", "none"], value: undefined },
    ] as const;
    expect(await store.commit("p05", { checks, mutations: [] })).toEqual({ ok: true });
    for (const value of [undefined, "text"])
      expect(await store.commit("p05", { checks: [{ key: entry, value }], mutations: [] })).toMatchObject({
        ok: false,
      });
  });

  it("are read after a rejected read of their kind", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await store.commit("p05", { mutations: [set(entry, "")] });
    const [refused, , found] = await Promise.allSettled([
      store.getMany([other, ["p05", 0.5]]),
      store.get(["p05", "row"]),
      store.get(entry),
    ]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "invalid_key" } });
    expect(found).toEqual({ status: "fulfilled", value: "" });
  });

  it("may be many in one call", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    const entries = Array.from({ length: 600 }, (_, kind): Key => ["p05", `kind-${kind}`, "x".repeat(200)]);
    await store.commit("p05", { mutations: entries.map((key) => set(key, "")) });
    // It is sent again with the source of the script.
    server.run("script", "flush");
    await store.commit("p05", { mutations: entries.map((key) => set([...key, "again"], "")) });
    expect(await store.getMany(entries)).toEqual(entries.map(() => ""));
    expect(await store.getMany(entries.map((key): Key => [...key, "again"]))).toEqual(entries.map(() => ""));
  });

  it.each([
    ["a text becomes empty", [[set(entry, "text")], [set(entry, "")]], ""],
    ["an empty text becomes another", [[set(entry, "")], [set(entry, "text")]], "text"],
    ["an expiring text becomes permanent", [[set(entry, "", 4e12)], [set(entry, "")]], ""],
    ["the last mutation of a commit counts: an empty text", [[set(entry, "text"), set(entry, "")]], ""],
    ["the last mutation of a commit counts: another text", [[set(entry, ""), set(entry, "text")]], "text"],
    ["the last mutation of a commit counts: a deletion", [[set(entry, ""), remove(entry)]], undefined],
    [
      "the last mutation of a commit counts: an empty text after a deletion",
      [[remove(entry), set(entry, "")]],
      "",
    ],
    ["it is deleted", [[set(entry, "")], [remove(entry)]], undefined],
    ["in a commit with a sum of another key", [[{ type: "sum", key: other, amount: 1 }, set(entry, "")]], ""],
    ["after a sum of the same key", [[{ type: "sum", key: entry, amount: 1 }, set(entry, "")]], ""],
  ] satisfies [string, Mutation[][], string | undefined][])(
    "%s, in commits of one call and one after the other",
    async (_name, commits, expected) => {
      await using server = await startRedisServer();
      await using store = await openRedisStore({ url: server.url });
      for (const mutations of commits) await store.commit("p05", { mutations });
      expect(await store.get(entry)).toBe(expected);
      const rowsAfter = counts(server);
      const left = await store.list({ prefix: ["p05"], limit: 9 });
      await store.commit("p05", { mutations: left.map(({ key }) => remove(key)) });
      expect(counts(server)).toEqual({ rows: 0, index: 0 });
      await Promise.all(commits.map((mutations) => store.commit("p05", { mutations })));
      expect(await store.get(entry)).toBe(expected);
      expect(await store.list({ prefix: ["p05"], limit: 9 })).toEqual(left);
      expect(counts(server)).toEqual(rowsAfter);
      expect(rowsAfter.index).toBe(left.length);
    },
  );

  it("reject sums, while a sum starts at 0 for an absent row", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await store.commit("p05", { mutations: [set(entry, "")] });
    const sum = (key: Key) => store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }] });
    await expect(sum(entry)).rejects.toMatchObject({ code: "invalid_sum" });
    await sum(other);
    expect(await store.getMany([entry, other])).toEqual(["", "1"]);
  });

  it("are read before the store closes", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await store.commit("p05", { mutations: [set(entry, ""), set(["p05", "row"], "1")] });
    const reads = Promise.all([
      store.get(["p05", "row"]),
      store.getMany([entry, other]),
      // The server does not know this script either.
      store.list({ prefix: ["p05", "log"], limit: 9 }),
    ]);
    await store.close();
    expect(await reads).toEqual(["1", ["", undefined], [{ key: entry, value: "" }]]);
  });

  it("stay if they were set again without an expiry, and otherwise expire", async () => {
    await using server = await startRedisServer();
    let time = 1_800_000_000_000;
    await using store = await openRedisStore({ url: server.url, now: () => time, sweepIntervalMs: 20 });
    await store.commit("p05", { mutations: [set(entry, "", time + 1_000), set(other, "", time + 1_000)] });
    await store.commit("p05", { mutations: [set(entry, "")] });
    time += 1_000;
    expect(await store.getMany([entry, other])).toEqual(["", undefined]);
    await expect.poll(() => server.run("zcard", "{hookwright:p05}:expiries").trim()).toBe("0");
    expect(counts(server)).toEqual({ rows: 0, index: 1 });
    expect(await store.getMany([entry, other])).toEqual(["", undefined]);
  });

  it("are read from layout 1, in which they are in the hash too", async () => {
    await using server = await startRedisServer();
    server.run("set", "{hookwright:layout}", "1");
    const client = new Redis(server.url);
    await client.hset("{hookwright:p05}:rows", encodeKey(entry), "");
    for (const key of [entry, other]) await client.zadd("{hookwright:p05}:index", 0, encodeKey(key));
    client.disconnect();
    await using store = await openRedisStore({ url: server.url });
    expect(await store.getMany([entry, other])).toEqual(["", ""]);
    expect(await store.list({ prefix: ["p05", "log"], limit: 9 })).toHaveLength(2);
    const checks = [{ key: other, value: "" }];
    const mutations = [set(entry, ""), remove(other)];
    expect(await store.commit("p05", { checks, mutations })).toEqual({ ok: true });
    expect(counts(server)).toEqual({ rows: 0, index: 1 });
    expect(await store.getMany([entry, other])).toEqual(["", undefined]);
  });
});

describe.runIf(hasRedisServer)("the layout of a database of an older version", () => {
  const entry: Key = ["p05", "log", "one"];
  const layoutOf = (server: RedisServer): string => server.run("get", "{hookwright:layout}").trim();

  async function startOlder(layout: string): Promise<RedisServer> {
    const server = await startRedisServer();
    server.run("set", "{hookwright:layout}", layout);
    const client = new Redis(server.url);
    await client.zadd("{hookwright:p05}:index", 0, encodeKey(entry));
    client.disconnect();
    return server;
  }

  it.each(["1", "2"])("%s stays until a commit that the older version would misread", async (older) => {
    await using server = await startOlder(older);
    await using store = await openRedisStore({ url: server.url });
    expect(await store.get(entry)).toBe("");
    expect(await store.list({ prefix: ["p05"], limit: 9 })).toHaveLength(1);
    // Both versions keep such rows in the hash.
    await store.commit("p05", { mutations: [set(["p05", "row"], "1"), set(["p05", "short"], "", 4e12)] });
    await store.commit("p05", { mutations: [remove(["p05", "row"])] });
    expect(layoutOf(server)).toBe(older);
    await store.commit("p05", { mutations: [set(["p05", "new"], "")] });
    expect(layoutOf(server)).toBe("3");
  });

  it("is recorded by one command for commits at once, which keep their order", async () => {
    await using server = await startOlder("2");
    await using store = await openRedisStore({ url: server.url });
    const before = callsOf(server, "set");
    server.run("client", "pause", "60000", "write");
    const first = store.commit("p05", { mutations: [set(entry, "")] });
    const elsewhere = store.commit("p06", { mutations: [set(["p06", "new"], "")] });
    await new Promise((resolve) => setImmediate(resolve));
    // It is sent while the layout is being recorded, and does not need it.
    const second = store.commit("p05", { mutations: [set(entry, "text")] });
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    server.run("client", "unpause");
    await Promise.all([first, elsewhere, second]);
    expect(await store.get(entry)).toBe("text");
    expect(layoutOf(server)).toBe("3");
    await store.commit("p05", { mutations: [set(entry, "")] });
    expect(callsOf(server, "set") - before).toBe(1);
  });

  it("stays in a full Redis, which is opened and read, until it has space", async () => {
    await using server = await startOlder("2");
    server.run("config", "set", "maxmemory", "1");
    await using store = await openRedisStore({ url: server.url });
    expect(await store.get(entry)).toBe("");
    const change = () => store.commit("p05", { mutations: [set(["p05", "new"], "")] });
    await expect(change()).rejects.toMatchObject({ reason: "out_of_memory", isFull: true });
    await expect(change()).rejects.toMatchObject({ reason: "out_of_memory", isFull: true });
    expect(layoutOf(server)).toBe("2");
    server.run("config", "set", "maxmemory", "0");
    expect(await change()).toEqual({ ok: true });
    expect(layoutOf(server)).toBe("3");
  });

  it("stays if the store cannot be opened", async () => {
    await using server = await startOlder("2");
    server.run("acl", "setuser", "default", "-publish");
    await expect(openRedisStore({ url: server.url })).rejects.toMatchObject({ reason: "not_authorized" });
    expect(layoutOf(server)).toBe("2");
  });
});
