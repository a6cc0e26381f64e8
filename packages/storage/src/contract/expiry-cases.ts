import type { Key, Mutation, Store } from "../port.ts";
import { assertEqual, assertRefused } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const key: Key = ["p40", "soon"];
const stays: Key = ["p40", "stays"];

const commit = (store: Store, ...mutations: Mutation[]) => store.commit("p40", { mutations });
const check = (store: Store, value: string | undefined) =>
  store.commit("p40", { checks: [{ key, value }], mutations: [] });

export const expiryCases: readonly StoreContractCase[] = [
  storeCase("an expired entry is absent at once for reads, checks and sums", async (store, clock) => {
    const expiresAt = clock.now + 1_000;
    await commit(
      store,
      { type: "set", key, value: "41", expiresAt },
      { type: "set", key: stays, value: "x" },
    );
    clock.now = expiresAt - 1;
    assertEqual(await store.getMany([key, stays]), ["41", "x"], "a millisecond before");
    const listed = await store.list({ prefix: ["p40"], limit: 10 });
    assertEqual(listed.length, 2, "the list a millisecond before");
    assertEqual(await check(store, "41"), { ok: true }, "a check a millisecond before");

    clock.now = expiresAt;
    assertEqual(await store.get(key), undefined, "get");
    assertEqual(await store.getMany([key, stays]), [undefined, "x"], "getMany");
    const left = [{ key: stays, value: "x" }];
    assertEqual(await store.list({ prefix: ["p40"], limit: 1 }), left, "list");
    assertEqual(await store.list({ prefix: ["p40"], limit: 9, reverse: true }), left, "list, reverse");
    assertEqual(await check(store, "41"), { ok: false, failed: key }, "a check of the text");
    assertEqual(await check(store, undefined), { ok: true }, "a check of absence");
    await commit(store, { type: "sum", key, amount: 1 });
    assertEqual(await store.get(key), "1", "a sum");
    clock.now += 1e9;
    assertEqual(await store.get(key), "1", "the new counter does not inherit the expiry");
  }),

  storeCase("expired entries do not count for the limit of a list", async (store, clock) => {
    const expiring = Array.from({ length: 300 }, (_, index): Mutation => ({
      type: "set",
      key: ["p40", "row", index],
      value: "",
      ...(index % 100 === 99 ? {} : { expiresAt: clock.now + 10 }),
    }));
    await store.commit("p40", { mutations: expiring });
    clock.now += 10;
    const lastParts = async (reverse: boolean) =>
      (await store.list({ prefix: ["p40", "row"], limit: 2, reverse })).map((entry) => entry.key.at(-1));
    assertEqual(await lastParts(false), [99, 199], "ascending");
    assertEqual(await lastParts(true), [299, 199], "descending");
  }),

  storeCase("a set replaces the expiry", async (store, clock) => {
    await commit(store, { type: "set", key, value: "a", expiresAt: clock.now + 10 });
    await commit(store, { type: "set", key, value: "b" });
    clock.now += 10;
    assertEqual(await store.get(key), "b", "set without an expiry");
    await commit(store, { type: "set", key, value: "c", expiresAt: clock.now + 10 });
    await commit(store, { type: "set", key, value: "d", expiresAt: clock.now + 20 });
    clock.now += 10;
    assertEqual(await store.get(key), "d", "set with a later expiry");
    clock.now += 10;
    assertEqual(await store.get(key), undefined, "after the later expiry");
    await commit(store, { type: "set", key, value: "e", expiresAt: clock.now });
    assertEqual(await store.get(key), undefined, "set with an expiry that has passed");
  }),

  storeCase("a sum keeps the expiry of its counter, or sets its own", async (store, clock) => {
    const sum = (amount: number, expiresAt?: number) =>
      commit(store, { type: "sum", key, amount, expiresAt });
    const start = clock.now;
    await sum(1, start + 100);
    await sum(2);
    assertEqual(await store.get(key), "3", "the counter");
    clock.now = start + 100;
    assertEqual(await store.get(key), undefined, "the first expiry");
    await sum(5, start + 200);
    await sum(5, start + 300);
    clock.now = start + 200;
    assertEqual(await store.get(key), "10", "an expiry that was moved");
    clock.now = start + 300;
    assertEqual(await store.get(key), undefined, "after the moved one");
  }),

  storeCase("a text with a past expiry is absent for later mutations of its commit", async (store, clock) => {
    await commit(
      store,
      { type: "set", key, value: "5", expiresAt: clock.now },
      { type: "sum", key, amount: 1 },
    );
    assertEqual(await store.get(key), "1", "get");
  }),

  storeCase("expiresInMs sets a lifetime by the clock of the store", async (store, clock) => {
    const start = clock.now;
    await store.commit("p40", {
      mutations: [
        { type: "set", key, value: "a", expiresInMs: 100 },
        { type: "set", key: [...key, "empty"], value: "", expiresInMs: 100 },
        { type: "set", key: [...key, "set twice"], value: "a", expiresInMs: 100 },
        { type: "set", key: [...key, "set twice"], value: "b" },
        { type: "set", key: [...key, "removed"], value: "", expiresInMs: 100 },
        { type: "delete", key: [...key, "removed"] },
        { type: "set", key: [...key, "counter"], value: "1", expiresInMs: 100 },
        { type: "sum", key: [...key, "counter"], amount: 1 },
        { type: "set", key: stays, value: "x" },
      ],
    });
    const all = () =>
      store.getMany([
        key,
        [...key, "empty"],
        [...key, "set twice"],
        [...key, "removed"],
        [...key, "counter"],
        stays,
      ]);
    clock.now = start + 99;
    assertEqual(await all(), ["a", "", "b", undefined, "2", "x"], "a millisecond before");
    clock.now = start + 100;
    assertEqual(await all(), [undefined, undefined, "b", undefined, undefined, "x"], "at the expiry");
  }),

  storeCase("a lease: checks hold until it expires, and renewing extends it", async (store, clock) => {
    const start = clock.now;
    const lease = { key, value: "worker 1" } as const;
    const fenced = async () => {
      const result = await store.commit("p40", {
        checks: [lease],
        mutations: [{ type: "sum", key: stays, amount: 1 }],
      });
      return result.ok;
    };
    const acquire = (value: string) =>
      store.commit("p40", {
        checks: [{ key, value: undefined }],
        mutations: [{ type: "set", key, value, expiresInMs: 15_000 }],
      });
    assertEqual(await acquire("worker 1"), { ok: true }, "a free lease");
    assertEqual(await acquire("worker 2"), { ok: false, failed: key }, "a lease of another worker");
    clock.now = start + 10_000;
    const renewed = await Promise.all([
      fenced(),
      store.commit("p40", {
        checks: [lease],
        mutations: [{ type: "set", ...lease, expiresInMs: 15_000 }],
      }),
      fenced(),
    ]);
    assertEqual(renewed, [true, { ok: true }, true], "commits during a renewal");
    clock.now = start + 24_999;
    assertEqual(await fenced(), true, "a commit after the first expiry");
    assertEqual(await store.get(key), "worker 1", "the renewed lease");
    clock.now = start + 25_000;
    assertEqual(await fenced(), false, "a commit after the renewed expiry");
    assertEqual(await store.get(key), undefined, "the expired lease");
    assertEqual(await store.list({ prefix: ["p40", "soon"], limit: 9 }), [], "the list");
    assertEqual(
      (await store.list({ prefix: ["p40"], limit: 9, groupBy: 1 })).map((entry) => entry.key),
      [stays],
      "the groups",
    );
    assertEqual(await acquire("worker 2"), { ok: true }, "the lease is free again");
    assertEqual(await fenced(), false, "a commit of the former holder");
    assertEqual(await store.get(stays), "3", "the commits that held the lease");
  }),

  storeCase("an invalid expiry is rejected", async (store) => {
    const set = { type: "set", key, value: "" } as const;
    const times = [Number.NaN, Infinity, -Infinity];
    const invalid: readonly Mutation[] = [
      ...times.flatMap((expiresAt): Mutation[] => [
        { ...set, expiresAt },
        { type: "sum", key, amount: 1, expiresAt },
      ]),
      ...[0, -1, 1.5, Number.NaN, Infinity].map((expiresInMs) => ({ ...set, expiresInMs })),
      { ...set, expiresAt: 4e12, expiresInMs: 1 },
    ];
    for (const mutation of invalid)
      await assertRefused(() => commit(store, mutation), "invalid_argument", JSON.stringify(mutation));
    assertEqual(await store.get(key), undefined, "get");
  }),
];
