import type { Key, ListOptions, Store } from "../port.ts";
import { countEntries } from "../sorted-runs/count-entries.ts";
import { assertEqual, assertRefused } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

async function fill(store: Store, keys: readonly Key[]): Promise<void> {
  for (const key of keys)
    await store.commit(key[0], { mutations: [{ type: "set", key, value: JSON.stringify(key) }] });
}

async function lastParts(store: Store, options: ListOptions): Promise<unknown[]> {
  const entries = await store.list(options);
  for (const { key, value } of entries) assertEqual(JSON.parse(value), key, "the value of an entry");
  return entries.map(({ key }) => key.at(-1));
}

const show = (options: Partial<ListOptions>): string => `the list ${JSON.stringify(options)}`;

const prefix: Key = ["p20", "log"];
const numbers = Array.from({ length: 10 }, (_, number): Key => [...prefix, number]);

export const listCases: readonly StoreContractCase[] = [
  storeCase(
    "a list contains the keys that begin with the prefix, but not the prefix itself",
    async (store) => {
      await fill(store, [
        ["p20", "lo"],
        ["p20", "log"],
        ["p20", "log", "a"],
        ["p20", "log", "a", "deep"],
        ["p20", "log\0", "no"],
        ["p20", "logs", "no"],
        ["p20", 7],
        ["p20", 7, "seven"],
        ["p20", 8, "no"],
        ["p21", "log", "no"],
      ]);
      assertEqual(await lastParts(store, { prefix, limit: 10 }), ["a", "deep"], "a string prefix");
      assertEqual(
        await lastParts(store, { prefix, limit: 10, reverse: true }),
        ["deep", "a"],
        "the same in reverse",
      );
      assertEqual(await lastParts(store, { prefix: ["p20", 7], limit: 10 }), ["seven"], "a number prefix");
      assertEqual(await lastParts(store, { prefix: ["p21"], limit: 10 }), ["no"], "a partition");
      assertEqual(await store.list({ prefix: ["p22"], limit: 10 }), [], "an empty partition");
    },
  ),

  storeCase("a count has the number of keys that begin with the prefix, up to the limit", async (store) => {
    const others: Key[] = [["p20", "lo"], prefix, ["p20", "log\0", 1], ["p20", "logs", 1], ["p21", "log", 1]];
    const keys = Array.from({ length: 700 }, (_, number): Key => [...prefix, number]);
    const mutations = [...others, ...keys].map((key) => ({ type: "set", key, value: "" }) as const);
    for (const partition of ["p20", "p21"])
      await store.commit(partition, { mutations: mutations.filter(({ key }) => key[0] === partition) });
    for (const [limit, expected] of [
      [1, 1],
      [64, 64],
      [600, 600],
      [700, 700],
      [701, 700],
      [100_000, 700],
    ] as const)
      assertEqual(await countEntries(store, { prefix, limit }), expected, `at most ${limit}`);
    assertEqual(await countEntries(store, { prefix: ["p22"], limit: 10 }), 0, "an empty partition");
    await store.commit("p20", { mutations: [{ type: "delete", key: [...prefix, 5] }] });
    assertEqual(await countEntries(store, { prefix, limit: 1_000 }), 699, "after a key was deleted");
    // Optional: without it, readers list the entries.
    const { count } = store;
    if (count !== undefined)
      await assertRefused(() => count({ prefix, limit: 0 }), "invalid_argument", "no limit");
  }),

  storeCase("an undefined option counts as omitted", async (store) => {
    const mutations = numbers.map(
      (key) =>
        ({
          type: "set",
          key,
          value: JSON.stringify(key),
          expiresAt: undefined,
          expiresInMs: undefined,
        }) as const,
    );
    const result = await store.commit("p20", { checks: undefined, mutations, notify: undefined });
    assertEqual(result, { ok: true }, "the commit");
    const options = {
      prefix,
      limit: 3,
      after: undefined,
      before: undefined,
      reverse: undefined,
      groupBy: undefined,
    };
    assertEqual(await lastParts(store, options), [0, 1, 2], "the first page");
    const amount = { type: "sum", key: ["p20", "sum"], amount: 2, expiresAt: undefined } as const;
    await store.commit("p20", { mutations: [amount] });
    assertEqual(await store.get(amount.key), "2", "a sum");
  }),

  storeCase("after and before exclude their own keys, in both directions", async (store) => {
    await fill(store, numbers);
    const bounds = { after: [...prefix, 2], before: [...prefix, 6] } as const;
    const cases: readonly [Partial<ListOptions>, readonly number[]][] = [
      [bounds, [3, 4, 5]],
      [{ ...bounds, reverse: true }, [5, 4, 3]],
      [{ ...bounds, limit: 2 }, [3, 4]],
      [{ ...bounds, limit: 2, reverse: true }, [5, 4]],
      [{ after: [...prefix, 7] }, [8, 9]],
      [{ before: [...prefix, 2] }, [0, 1]],
      [{ before: [...prefix, 2], limit: 1, reverse: true }, [1]],
      [{ after: [...prefix, 7], limit: 1, reverse: true }, [9]],
    ];
    for (const [options, expected] of cases)
      assertEqual(await lastParts(store, { prefix, limit: 100, ...options }), expected, show(options));
  }),

  storeCase("bounds need not exist and may lie outside of the prefix", async (store) => {
    await fill(store, numbers);
    const all = numbers.map((key) => key.at(-1));
    const cases: readonly [Partial<ListOptions>, readonly unknown[]][] = [
      [{ after: ["p20", "a"], before: ["p20", "z"] }, all],
      [{ after: ["p19", "z"], before: ["p21"] }, all],
      [{ after: [...prefix, 3, "x"], before: [...prefix, 5, "x"] }, [4, 5]],
      [{ after: prefix }, all],
    ];
    for (const [options, expected] of cases)
      assertEqual(await lastParts(store, { prefix, limit: 100, ...options }), expected, show(options));
    for (const reverse of [false, true]) {
      const empty = async (options: Partial<ListOptions>) =>
        assertEqual(await store.list({ prefix, limit: 100, reverse, ...options }), [], "an empty range");
      await empty({ after: [...prefix, 9] });
      await empty({ before: [...prefix, 0] });
      await empty({ before: prefix });
      await empty({ after: ["p20", "z"] });
      await empty({ before: ["p20", "a"] });
      await empty({ after: [...prefix, 5], before: [...prefix, 5] });
      await empty({ after: [...prefix, 7], before: [...prefix, 3] });
    }
  }),

  storeCase(
    "paging by the last key of a page returns every entry once, in both directions",
    async (store) => {
      const size = 1_000;
      const all = Array.from({ length: size }, (_, index): Key => [
        "p20",
        "page",
        `row ${String(index).padStart(4, "0")}`,
      ]);
      const mutations = all.map((key) => ({ type: "set" as const, key, value: JSON.stringify(key) }));
      await store.commit("p20", { mutations });
      for (const reverse of [false, true]) {
        const seen: unknown[] = [];
        let last: Key | undefined;
        do {
          const bound = last === undefined ? {} : reverse ? { before: last } : { after: last };
          const page = await store.list({ prefix: ["p20", "page"], limit: 97, reverse, ...bound });
          seen.push(...page.map(({ key }) => key));
          last = page.at(-1)?.key;
        } while (last !== undefined);
        assertEqual(seen, reverse ? all.toReversed() : all, "the pages together");
      }
    },
  ),

  storeCase("a limit that is not a positive integer is rejected", async (store) => {
    for (const limit of [0, -1, 1.5, Number.NaN, Infinity]) {
      await assertRefused(() => store.list({ prefix, limit }), "invalid_argument", `limit ${limit}`);
    }
  }),
];
