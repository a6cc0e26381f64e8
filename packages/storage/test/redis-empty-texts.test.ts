import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { encodeKey } from "../src/keys/key-codec.ts";
import type { Key, Mutation } from "../src/port.ts";
import { openRedisStore } from "../src/redis.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
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

  it("are read from layouts 1 and 2, which are upgraded", async () => {
    await using server = await startRedisServer();
    server.run("set", "{hookwright:layout}", "1");
    const client = new Redis(server.url);
    await client.hset("{hookwright:p05}:rows", encodeKey(entry), "");
    for (const key of [entry, other]) await client.zadd("{hookwright:p05}:index", 0, encodeKey(key));
    client.disconnect();
    await using store = await openRedisStore({ url: server.url });
    expect(server.run("get", "{hookwright:layout}").trim()).toBe("3");
    expect(await store.getMany([entry, other])).toEqual(["", ""]);
    expect(await store.list({ prefix: ["p05", "log"], limit: 9 })).toHaveLength(2);
    const checks = [{ key: other, value: "" }];
    const mutations = [set(entry, ""), remove(other)];
    expect(await store.commit("p05", { checks, mutations })).toEqual({ ok: true });
    expect(counts(server)).toEqual({ rows: 0, index: 1 });
    expect(await store.getMany([entry, other])).toEqual(["", undefined]);
  });
});
