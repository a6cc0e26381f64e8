import type { Key, ListOptions, Mutation, Store } from "../port.ts";
import { assertEqual, assertRefused } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const prefix: Key = ["p22", "queue"];

async function fill(store: Store, keys: readonly Key[]): Promise<void> {
  const mutations = keys.map((key): Mutation => ({ type: "set", key, value: JSON.stringify(key) }));
  await store.commit("p22", { mutations });
}

/** The listed keys without the prefix, for example `a/1/x`. */
async function listed(store: Store, options: Partial<ListOptions>): Promise<string[]> {
  const entries = await store.list({ prefix, limit: 100, ...options });
  for (const { key, value } of entries) assertEqual(JSON.parse(value), key, "the value of an entry");
  return entries.map(({ key }) => key.slice(prefix.length).join("/"));
}

/** Asserts which groups each of the options lists. */
async function assertLists(
  store: Store,
  cases: readonly (readonly [Partial<ListOptions>, readonly string[]])[],
): Promise<void> {
  for (const [options, expected] of cases)
    assertEqual(await listed(store, options), expected, `the list ${JSON.stringify(options)}`);
}

export const groupCases: readonly StoreContractCase[] = [
  storeCase("groupBy returns the first entry of each group, or the last one in reverse", async (store) => {
    await fill(store, [
      ["p22", "queu"],
      prefix,
      [...prefix, "a", 1, "x"],
      [...prefix, "a", 1, "y"],
      [...prefix, "a", 2],
      [...prefix, "a\0", 1],
      [...prefix, "b", 1],
      [...prefix, "b", 2, "x"],
      ["p22", "queue\0", 1],
      ["p22", "queues", "c", 1],
    ]);
    await assertLists(store, [
      [{ groupBy: 1 }, ["a/1/x", "a\0/1", "b/1"]],
      [{ groupBy: 1, reverse: true }, ["b/2/x", "a\0/1", "a/2"]],
      [{ groupBy: 2 }, ["a/1/x", "a/2", "a\0/1", "b/1", "b/2/x"]],
      [{ groupBy: 2, reverse: true }, ["b/2/x", "b/1", "a\0/1", "a/2", "a/1/y"]],
      [{ groupBy: 1, limit: 2 }, ["a/1/x", "a\0/1"]],
      [{ groupBy: 1, limit: 2, reverse: true }, ["b/2/x", "a\0/1"]],
      [{ prefix: ["p23"], groupBy: 1 }, []],
    ]);
  }),

  storeCase("a key with fewer parts than groupBy is a group of its own", async (store) => {
    const names = [[], ["a"], ["a", 1], ["a", 1, "x"], ["b"]];
    await fill(
      store,
      names.map((parts): Key => [...prefix, ...parts]),
    );
    await assertLists(store, [
      [{ groupBy: 2 }, ["a", "a/1", "b"]],
      [{ groupBy: 2, reverse: true }, ["b", "a/1/x", "a"]],
      [{ groupBy: 2, after: [...prefix, "a"] }, ["a/1", "b"]],
      [{ groupBy: 2, before: [...prefix, "a", 1] }, ["a"]],
      [{ groupBy: 9 }, ["a", "a/1", "a/1/x", "b"]],
    ]);
  }),

  storeCase("after and before exclude the whole group of their key", async (store) => {
    await fill(
      store,
      ["a", "b", "c"].flatMap((name) => [1, 2, 3].map((number): Key => [...prefix, name, number])),
    );
    const middle: Key = [...prefix, "b", 2];
    await assertLists(store, [
      [{ groupBy: 1, after: middle }, ["c/1"]],
      [{ groupBy: 1, before: middle }, ["a/1"]],
      [{ groupBy: 1, after: middle, reverse: true }, ["c/3"]],
      [{ groupBy: 1, before: middle, reverse: true }, ["a/3"]],
      [{ groupBy: 1, after: [...prefix, "a", 9], before: [...prefix, "c"] }, ["b/1"]],
      [{ groupBy: 1, after: middle, before: middle }, []],
      // Outside of the prefix.
      [{ groupBy: 1, after: ["p22", "a"], before: ["p22", "z", 1, 2] }, ["a/1", "b/1", "c/1"]],
      [{ groupBy: 1, after: prefix }, ["a/1", "b/1", "c/1"]],
      [{ groupBy: 1, before: prefix }, []],
    ]);
  }),

  storeCase("paging returns each group once, in both directions", async (store) => {
    // Numbers come before strings. Some names contain bytes that an encoding may have to escape.
    const numbers = [-300, -1, 0, 1, 127, 128, 255, 256, 70_000];
    const names = [...numbers, "", "\0", "\0ÿ", "a", "a\0b", "b", "é", "漢", "😀"];
    const sizes = (index: number) => [1, 2, 3_000][index % 3] ?? 0;
    for (const [index, name] of names.entries()) {
      await fill(
        store,
        Array.from({ length: sizes(index) }, (_, row): Key => [...prefix, name, row]),
      );
    }
    for (const reverse of [false, true]) {
      const seen: unknown[] = [];
      let last: Key | undefined;
      do {
        const bound = last === undefined ? {} : reverse ? { before: last } : { after: last };
        const page = await store.list({ prefix, groupBy: 1, limit: 4, reverse, ...bound });
        seen.push(...page.map(({ key }) => key.slice(prefix.length)));
        last = page.at(-1)?.key;
      } while (last !== undefined);
      const expected = names.map((name, index) => [name, reverse ? sizes(index) - 1 : 0]);
      assertEqual(seen, reverse ? expected.toReversed() : expected, "the pages together");
    }
  }),

  storeCase("expired entries do not hide the rest of their group", async (store, clock) => {
    const expiresAt = clock.now + 10;
    const rows = (name: string, count: number, lives: (row: number) => boolean): Mutation[] =>
      Array.from({ length: count }, (_, row): Mutation => {
        const key: Key = [...prefix, name, row];
        return { type: "set", key, value: JSON.stringify(key), ...(lives(row) ? {} : { expiresAt }) };
      });
    await store.commit("p22", {
      mutations: [
        ...rows("all", 700, () => false),
        ...rows("first", 3, (row) => row > 0),
        ...rows("last", 3, (row) => row < 2),
        ...rows("many", 1_500, (row) => row === 700),
        ...rows("none", 2, () => true),
      ],
    });
    clock.now = expiresAt - 1;
    assertEqual((await listed(store, { groupBy: 1 })).length, 5, "before the expiry");
    clock.now = expiresAt;
    await assertLists(store, [
      [{ groupBy: 1 }, ["first/1", "last/0", "many/700", "none/0"]],
      [{ groupBy: 1, reverse: true }, ["none/1", "many/700", "last/1", "first/2"]],
      [{ groupBy: 1, limit: 1 }, ["first/1"]],
      [{ groupBy: 1, limit: 1, after: [...prefix, "last", 0] }, ["many/700"]],
    ]);
  }),

  storeCase("a groupBy that is not a positive integer is rejected", async (store) => {
    for (const groupBy of [0, -1, 1.5, Number.NaN, Infinity]) {
      await assertRefused(
        () => store.list({ prefix, limit: 1, groupBy }),
        "invalid_argument",
        `groupBy ${groupBy}`,
      );
    }
  }),
];
