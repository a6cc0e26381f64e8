import type { Key, KeyPart } from "../port.ts";
import { assertEqual, assertRefused } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const largest = Number.MAX_SAFE_INTEGER;

/** Parts in the order of keys: numbers by value, then strings by their UTF-8 bytes. */
export const orderedParts: readonly KeyPart[] = [
  -largest,
  -largest + 1,
  -(2 ** 32),
  -16_777_217,
  -16_777_216,
  -256,
  -1,
  0,
  1,
  255,
  256,
  16_777_215,
  16_777_216,
  2 ** 31,
  2 ** 32,
  1_800_000_000_000,
  largest - 1,
  largest,
  "",
  "\0",
  "\0\0",
  "\0\xff",
  "\x01",
  "\x02",
  "-1",
  "0",
  "10",
  "9",
  "A",
  "a",
  "a\0",
  "a\0b",
  "a\x01",
  "aa",
  "ab",
  "b",
  "\x7f",
  "\x80",
  "é",
  "ÿ",
  "Ā",
  "漢",
  "\uFEFF",
  "\uFEFFa",
  // UTF-16 would order the next ones differently: D83D is below FFFD.
  "\uFFFD",
  "\uFFFF",
  "😀",
  "\u{10FFFF}",
];

export const keyCases: readonly StoreContractCase[] = [
  storeCase("keys are ordered part by part: numbers by value, then strings by UTF-8 bytes", async (store) => {
    const mutations = orderedParts.map((part, index) => ({
      type: "set" as const,
      key: ["p10", "order", part] as const,
      value: String(index),
    }));
    // Shuffled, so that a store that keeps the order of insertion fails.
    const shuffled = mutations.toSorted(
      (left, right) => ((Number(left.value) * 17) % 47) - ((Number(right.value) * 17) % 47),
    );
    await store.commit("p10", { mutations: shuffled });
    const expected = mutations.map(({ key, value }) => ({ key: [...key], value }));
    assertEqual(await store.list({ prefix: ["p10", "order"], limit: 100 }), expected, "ascending");
    assertEqual(
      await store.list({ prefix: ["p10", "order"], limit: 100, reverse: true }),
      expected.toReversed(),
      "descending",
    );
    for (const { key, value } of expected)
      assertEqual(await store.get(["p10", "order", ...key.slice(2)]), value, "get");
  }),

  storeCase("a key comes before the longer keys that begin with it", async (store) => {
    const keys: Key[] = [
      ["p10", "a"],
      ["p10", "a", -5],
      ["p10", "a", 5],
      ["p10", "a", ""],
      ["p10", "a", "", ""],
      ["p10", "a", "b"],
      ["p10", "a\0"],
      ["p10", "a\0", 1],
      ["p10", "ab"],
    ];
    for (const key of keys.toReversed())
      await store.commit("p10", { mutations: [{ type: "set", key, value: "" }] });
    const entries = await store.list({ prefix: ["p10"], limit: 100 });
    assertEqual(
      entries.map(({ key }) => key),
      keys,
      "list",
    );
  }),

  storeCase("a number and its decimal string are different keys", async (store) => {
    await store.commit("p10", {
      mutations: [
        { type: "set", key: ["p10", 1], value: "number" },
        { type: "set", key: ["p10", "1"], value: "string" },
        { type: "set", key: ["p10", "a", "b"], value: "two parts" },
        { type: "set", key: ["p10", "ab"], value: "one part" },
      ],
    });
    assertEqual(
      await store.getMany([
        ["p10", 1],
        ["p10", "1"],
        ["p10", "a", "b"],
        ["p10", "ab"],
      ]),
      ["number", "string", "two parts", "one part"],
      "getMany",
    );
  }),

  storeCase("a key may take up to 1,900 bytes", async (store) => {
    const fitting: readonly Key[] = [
      ["p10", "x".repeat(1_800), "é".repeat(40)],
      ["p10", "x".repeat(1_895)],
      ["p10", `x${"é".repeat(947)}`],
      ["p10", `x${"\0".repeat(947)}`],
      ["p10", `${"\0".repeat(947)}x`],
      ["p10", "x".repeat(1_887), 7],
      ["p10", ...Array.from({ length: 237 }, (_, index) => index)],
    ];
    for (const key of fitting) {
      await store.commit("p10", { mutations: [{ type: "set", key, value: "here", expiresAt: 4e12 }] });
      assertEqual(await store.get(key), "here", "a long key");
    }
    const tooLong: readonly Key[] = [
      ["p10", "x".repeat(1_896)],
      ["p10", "é".repeat(948)],
      ["p10", "\0".repeat(948)],
      ["p10", "x".repeat(1_888), 7],
      ["p10", "é".repeat(1_000)],
      ["p10", "\0".repeat(1_000)],
      ["p10", ...Array.from({ length: 250 }, (_, index) => index)],
      ["p10", "x".repeat(1_000_000)],
    ];
    for (const key of tooLong) {
      await assertRefused(() => store.get(key), "key_too_long", "get");
      await assertRefused(() => store.list({ prefix: key, limit: 1 }), "key_too_long", "list");
      await assertRefused(
        () => store.commit("p10", { mutations: [{ type: "set", key, value: "" }] }),
        "key_too_long",
        "commit",
      );
    }
  }),

  storeCase("invalid parts and partitions are rejected", async (store) => {
    for (const part of [1.5, Number.NaN, Infinity, 2 ** 53, -(2 ** 53), "\uD800", "a\uDC00b"]) {
      await assertRefused(() => store.get(["p10", part]), "invalid_key", `get of ${String(part)}`);
      await assertRefused(
        () => store.commit("p10", { mutations: [{ type: "delete", key: ["p10", part] }] }),
        "invalid_key",
        `commit of ${String(part)}`,
      );
    }
    const partitions = ["", "p", "p0", "p64", "p70", "q00", "p000", "P00", "p-1", "p0:", "p0/", "p:0", "p/0"];
    for (const partition of partitions) {
      await assertRefused(() => store.get([partition, "a"]), "invalid_key", `the partition ${partition}`);
      await assertRefused(
        () => store.commit(partition, { mutations: [] }),
        "invalid_key",
        `a commit in ${partition}`,
      );
    }
  }),

  storeCase("-0 and 0 are the same key", async (store) => {
    await store.commit("p10", { mutations: [{ type: "set", key: ["p10", -0], value: "zero" }] });
    assertEqual(await store.get(["p10", 0]), "zero", "get");
  }),
];
