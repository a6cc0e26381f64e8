import { describe, expect, it } from "vitest";
import type { Entry, Store } from "@hookwright/storage";
import { checkStoreAgainstModel, storeContractCases, type OpenStore } from "@hookwright/storage/contract";
import { memoryStore } from "@hookwright/storage/memory";

/** A memory store with some methods replaced. */
function openBroken(broken: (store: Store) => Partial<Store>): OpenStore {
  return ({ now }) => {
    const store = memoryStore({ now });
    return { ...store, ...broken(store) };
  };
}

/** Realistic mistakes of adapters, and the contract case that must detect each of them. */
const mistakes: readonly { readonly name: string; readonly openStore: OpenStore; readonly caught: string }[] =
  [
    {
      name: "writes the mutations of a commit one by one",
      openStore: openBroken((store) => ({
        async commit(partition, { checks = [], mutations, notify }) {
          const result = await store.commit(partition, { checks, mutations: [], notify });
          if (!result.ok) return result;
          for (const mutation of mutations) await store.commit(partition, { mutations: [mutation] });
          return result;
        },
      })),
      caught: "a commit with invalid input writes nothing, wherever the invalid input is",
    },
    {
      name: "ignores checks",
      openStore: openBroken((store) => ({
        commit: (partition, { mutations, notify }) => store.commit(partition, { mutations, notify }),
      })),
      caught: "a commit with a failed check names the check and writes nothing",
    },
    {
      name: "evaluates checks but writes later",
      openStore: openBroken((store) => ({
        async commit(partition, { checks = [], mutations, notify }) {
          const result = await store.commit(partition, { checks, mutations: [] });
          return result.ok ? store.commit(partition, { mutations, notify }) : result;
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
      name: "applies the limit before it reverses the order",
      openStore: openBroken((store) => ({
        async list({ reverse = false, ...rest }) {
          const entries = await store.list(rest);
          return reverse ? entries.toReversed() : entries;
        },
      })),
      caught: "expired entries do not count for the limit of a list",
    },
    {
      name: "shows expired entries",
      openStore: () => memoryStore({ now: () => 0 }),
      caught: "an expired entry is absent at once for reads, checks and sums",
    },
    {
      name: "trims texts",
      openStore: openBroken((store) => ({ get: async (key) => (await store.get(key))?.trim() })),
      caught: "every well-formed text is returned unchanged",
    },
    {
      name: "works after it was closed",
      openStore: openBroken(() => ({ close: async () => {} })),
      caught: "after close every call is rejected, except close",
    },
    {
      name: "drops some keys of a notification",
      openStore: openBroken((store) => ({
        watch: (listener) => store.watch((keys) => listener(keys?.slice(0, 1))),
      })),
      caught: "concurrent notifications lose no key",
    },
    {
      name: "notifies before the commit",
      openStore: openBroken((store) => ({
        async commit(partition, { notify, ...commit }) {
          const result = await store.commit(partition, { mutations: [], notify });
          if (!result.ok) return result;
          await new Promise((resolve) => setImmediate(resolve));
          return store.commit(partition, commit);
        },
      })),
      caught: "a listener that reads finds the commit of the notification",
    },
    {
      name: "notifies of rejected commits",
      openStore: openBroken((store) => ({
        async commit(partition, { notify, ...commit }) {
          const result = await store.commit(partition, commit);
          await store.commit(partition, { mutations: [], notify });
          return result;
        },
      })),
      caught: "commits without keys and rejected commits notify nobody",
    },
    {
      name: "groups only the entries of one page",
      openStore: openBroken((store) => ({
        async list({ groupBy, ...options }) {
          const entries = await store.list(options);
          if (groupBy === undefined) return entries;
          const group = ({ key }: Entry) => JSON.stringify(key.slice(0, options.prefix.length + groupBy));
          return entries.filter((entry, index) => {
            const previous = entries[index - 1];
            return previous === undefined || group(previous) !== group(entry);
          });
        },
      })),
      caught: "paging returns each group once, in both directions",
    },
    {
      name: "ignores expiresInMs",
      openStore: openBroken((store) => ({
        commit: (partition, { mutations, ...rest }) =>
          store.commit(partition, {
            ...rest,
            mutations: mutations.map((mutation) =>
              mutation.type === "set" ? { ...mutation, expiresInMs: undefined } : mutation,
            ),
          }),
      })),
      caught: "a lease: checks hold until it expires, and renewing extends it",
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
  it("accepts a correct store", async () => {
    expect(await failuresOf(({ now }) => memoryStore({ now }))).toEqual([]);
  });

  it.each(mistakes)("detects an adapter that $name", async ({ openStore, caught }) => {
    const detecting = storeContractCases.find(({ name }) => name === caught);
    await expect(detecting?.run({ openStore })).rejects.toBeInstanceOf(Error);
  });

  it.each(
    mistakes.filter(({ name }) =>
      /one by one|ignores|writes later|sorts|reverses|expired|groups/u.test(name),
    ),
  )("finds a history that detects an adapter that $name", async ({ openStore }) => {
    await expect(checkStoreAgainstModel({ openStore, runs: 1_000 })).rejects.toThrow("Property failed");
  });
});
