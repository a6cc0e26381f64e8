import type { Key, Mutation } from "../port.ts";
import { assertEqual, assertRefused } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const key: Key = ["p40", "soon"];
const stays: Key = ["p40", "stays"];

export const expiryCases: readonly StoreContractCase[] = [
  storeCase("an expired entry is gone at once, for reads, checks and sums", async (store, clock) => {
    const expiresAt = clock.now + 1_000;
    await store.commit("p40", {
      mutations: [
        { type: "set", key, value: "41", expiresAt },
        { type: "set", key: stays, value: "x" },
      ],
    });
    clock.now = expiresAt - 1;
    assertEqual(await store.getMany([key, stays]), ["41", "x"], "a millisecond before");
    assertEqual(
      (await store.list({ prefix: ["p40"], limit: 10 })).length,
      2,
      "the list a millisecond before",
    );
    const early = await store.commit("p40", { checks: [{ key, value: "41" }], mutations: [] });
    assertEqual(early, { ok: true }, "a check a millisecond before");

    clock.now = expiresAt;
    assertEqual(await store.get(key), undefined, "get");
    assertEqual(await store.getMany([key, stays]), [undefined, "x"], "getMany");
    assertEqual(await store.list({ prefix: ["p40"], limit: 1 }), [{ key: stays, value: "x" }], "list");
    assertEqual(
      await store.list({ prefix: ["p40"], limit: 9, reverse: true }),
      [{ key: stays, value: "x" }],
      "list, reverse",
    );
    const late = await store.commit("p40", { checks: [{ key, value: "41" }], mutations: [] });
    assertEqual(late, { ok: false, failed: key }, "a check of the text");
    assertEqual(
      await store.commit("p40", { checks: [{ key, value: undefined }], mutations: [] }),
      { ok: true },
      "a check of absence",
    );
    await store.commit("p40", { mutations: [{ type: "sum", key, amount: 1 }] });
    assertEqual(await store.get(key), "1", "a sum");
    clock.now += 1e9;
    assertEqual(await store.get(key), "1", "the new counter does not inherit the expiry");
  }),

  storeCase("expired entries do not use up the limit of a list", async (store, clock) => {
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

  storeCase("a set decides the expiry anew", async (store, clock) => {
    await store.commit("p40", { mutations: [{ type: "set", key, value: "a", expiresAt: clock.now + 10 }] });
    await store.commit("p40", { mutations: [{ type: "set", key, value: "b" }] });
    clock.now += 10;
    assertEqual(await store.get(key), "b", "set without an expiry");
    await store.commit("p40", { mutations: [{ type: "set", key, value: "c", expiresAt: clock.now + 10 }] });
    await store.commit("p40", { mutations: [{ type: "set", key, value: "d", expiresAt: clock.now + 20 }] });
    clock.now += 10;
    assertEqual(await store.get(key), "d", "set with a later expiry");
    clock.now += 10;
    assertEqual(await store.get(key), undefined, "after the later expiry");
    await store.commit("p40", { mutations: [{ type: "set", key, value: "e", expiresAt: clock.now }] });
    assertEqual(await store.get(key), undefined, "set with an expiry that has passed");
  }),

  storeCase("a sum keeps the expiry of its counter, or sets the one it brings", async (store, clock) => {
    const sum = (amount: number, expiresAt?: number) =>
      store.commit("p40", {
        mutations: [{ type: "sum", key, amount, ...(expiresAt === undefined ? {} : { expiresAt }) }],
      });
    const start = clock.now;
    await sum(1, start + 100);
    await sum(2);
    assertEqual(await store.get(key), "3", "the counter");
    clock.now = start + 100;
    assertEqual(await store.get(key), undefined, "the expiry it was given first");
    await sum(5, start + 200);
    await sum(5, start + 300);
    clock.now = start + 200;
    assertEqual(await store.get(key), "10", "an expiry that was moved");
    clock.now = start + 300;
    assertEqual(await store.get(key), undefined, "after the moved one");
  }),

  storeCase("an expired text does not count within the commit that set it", async (store, clock) => {
    await store.commit("p40", {
      mutations: [
        { type: "set", key, value: "5", expiresAt: clock.now },
        { type: "sum", key, amount: 1 },
      ],
    });
    assertEqual(await store.get(key), "1", "get");
  }),

  storeCase("an expiry that is no time is refused", async (store) => {
    for (const expiresAt of [Number.NaN, Infinity, -Infinity]) {
      await assertRefused(
        () => store.commit("p40", { mutations: [{ type: "set", key, value: "", expiresAt }] }),
        "invalid_argument",
        `set with ${expiresAt}`,
      );
      await assertRefused(
        () => store.commit("p40", { mutations: [{ type: "sum", key, amount: 1, expiresAt }] }),
        "invalid_argument",
        `sum with ${expiresAt}`,
      );
    }
    assertEqual(await store.get(key), undefined, "get");
  }),
];
