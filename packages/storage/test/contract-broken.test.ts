import { describe, expect, it } from "vitest";
import type { Entry, Store } from "@hookwright/storage";
import { checkStoreAgainstModel, storeContractCases, type OpenStore } from "@hookwright/storage/contract";
import { memoryStore } from "@hookwright/storage/memory";

/** A store that is right in everything but what `broken` does otherwise. */
function openBroken(broken: (store: Store) => Partial<Store>): OpenStore {
  return ({ now }) => {
    const store = memoryStore({ now });
    return { ...store, ...broken(store) };
  };
}

/** Mistakes that adapters are really written with, and a case which each of them must not survive. */
const mistakes: readonly { readonly name: string; readonly openStore: OpenStore; readonly caught: string }[] =
  [
    {
      name: "writes the mutations of a commit one by one",
      openStore: openBroken((store) => ({
        async commit(partition, { checks = [], mutations, wake = false }) {
          const result = await store.commit(partition, { checks, mutations: [], wake });
          if (!result.ok) return result;
          for (const mutation of mutations) await store.commit(partition, { mutations: [mutation] });
          return result;
        },
      })),
      caught: "refused input leaves nothing half-written, wherever it stands in the commit",
    },
    {
      name: "ignores checks",
      openStore: openBroken((store) => ({
        commit: (partition, { mutations, wake = false }) => store.commit(partition, { mutations, wake }),
      })),
      caught: "a check that fails is named, and nothing of the commit is written",
    },
    {
      name: "judges checks, and writes a moment later",
      openStore: openBroken((store) => ({
        async commit(partition, { checks = [], mutations, wake = false }) {
          const result = await store.commit(partition, { checks, mutations: [] });
          return result.ok ? store.commit(partition, { mutations, wake }) : result;
        },
      })),
      caught: "concurrent check-and-set increments lose nothing",
    },
    {
      name: "sorts keys as texts",
      openStore: openBroken((store) => ({
        async list({ prefix, limit, reverse = false, ...bounds }) {
          const entries = await store.list({ prefix, ...bounds, limit: 1_000_000 });
          const text = ({ key }: Entry) => key.join("/");
          entries.sort((left, right) => (text(left) < text(right) ? -1 : 1));
          return (reverse ? entries.toReversed() : entries).slice(0, limit);
        },
      })),
      caught: "keys are ordered part by part: numbers by value, then strings by UTF-8 bytes",
    },
    {
      name: "takes the limit before it turns the order",
      openStore: openBroken((store) => ({
        async list({ reverse = false, ...rest }) {
          const entries = await store.list(rest);
          return reverse ? entries.toReversed() : entries;
        },
      })),
      caught: "expired entries do not use up the limit of a list",
    },
    {
      name: "shows what has expired",
      openStore: () => memoryStore({ now: () => 0 }),
      caught: "an expired entry is gone at once, for reads, checks and sums",
    },
    {
      name: "trims texts",
      openStore: openBroken((store) => ({ get: async (key) => (await store.get(key))?.trim() })),
      caught: "every well-formed text comes back as it was set",
    },
    {
      name: "goes on after it was closed",
      openStore: openBroken(() => ({ close: async () => {} })),
      caught: "after close every call is refused, and closing again is no fault",
    },
    {
      name: "forgets some of the keys of a wake-up",
      openStore: openBroken((store) => ({
        watch: (partition, listener) => store.watch(partition, (beneath) => listener(beneath?.slice(0, 1))),
      })),
      caught: "a wake-up names all keys it was given, or none",
    },
    {
      name: "names the keys of a wake-up that had some, and forgets that another had none",
      openStore: openBroken((store) => ({
        commit: (partition, { wake, ...commit }) =>
          store.commit(partition, { ...commit, wake: wake === true ? [[partition, "all"]] : wake }),
      })),
      caught: "a wake-up without keys among others is of everything, and no keys at all wake nobody",
    },
    {
      name: "wakes somebody for no keys at all",
      openStore: openBroken((store) => ({
        commit: (partition, { wake, ...commit }) =>
          store.commit(partition, { ...commit, wake: Array.isArray(wake) || wake }),
      })),
      caught: "a wake-up without keys among others is of everything, and no keys at all wake nobody",
    },
  ];

async function failuresOf(openStore: OpenStore): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, run } of storeContractCases) {
    await run({ openStore }).catch(() => failures.push(name));
  }
  return failures;
}

describe("the store contract", () => {
  it("has no complaint about a store that is right", async () => {
    expect(await failuresOf(({ now }) => memoryStore({ now }))).toEqual([]);
  });

  it.each(mistakes)("catches an adapter that $name", async ({ openStore, caught }) => {
    expect(await failuresOf(openStore)).toContain(caught);
  });

  it.each(mistakes.filter(({ name }) => /one by one|ignores|moment later|sorts|turns|expired/u.test(name)))(
    "finds a history that tells an adapter which $name from the model",
    async ({ openStore }) => {
      await expect(checkStoreAgainstModel({ openStore, runs: 1_000 })).rejects.toThrow("Property failed");
    },
  );
});
