import { StorageError } from "../storage-error.ts";
import type { Key } from "../port.ts";
import { assertEqual, assertRefused } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const key: Key = ["p07", "value"];

/** Texts that an encoding could damage. */
const texts = [
  "",
  "plain",
  "0",
  "\0",
  "a\0b",
  // Adapters use these to mark texts that expire.
  "\u0001",
  "\u00011800000000000:",
  "\x7f",
  "\x80",
  "ÿ",
  "é ж 漢 😀",
  "\uFEFFbyte order mark",
  "\u{10FFFF}\uFFFF",
  "line\r\nbreak\u2028",
  '{"json":["\\u0000"]}',
  "x".repeat(5_000),
  "漢".repeat(100_000),
];

export const valueCases: readonly StoreContractCase[] = [
  storeCase("a key that was never set is absent", async (store) => {
    assertEqual(await store.get(key), undefined, "get");
    assertEqual(await store.getMany([key, key]), [undefined, undefined], "getMany");
  }),

  storeCase("every well-formed text is returned unchanged", async (store) => {
    for (const [index, value] of texts.entries()) {
      await store.commit("p07", { mutations: [{ type: "set", key: [...key, index], value }] });
      assertEqual(await store.get([...key, index]), value, "get");
      await store.commit("p07", {
        mutations: [{ type: "set", key: [...key, index], value, expiresAt: 4e12 }],
      });
      assertEqual(await store.get([...key, index]), value, "get of a text that expires");
      const commit = await store.commit("p07", { checks: [{ key: [...key, index], value }], mutations: [] });
      assertEqual(commit, { ok: true }, "a check of the text");
    }
    const entries = await store.list({ prefix: key, limit: 100 });
    assertEqual(
      entries.map(({ value }) => value),
      texts,
      "list",
    );
  }),

  storeCase("a later set replaces the text and a delete removes it", async (store) => {
    await store.commit("p07", { mutations: [{ type: "set", key, value: "a longer first text" }] });
    await store.commit("p07", { mutations: [{ type: "set", key, value: "second" }] });
    assertEqual(await store.get(key), "second", "get after the second set");
    await store.commit("p07", { mutations: [{ type: "delete", key }] });
    assertEqual(await store.get(key), undefined, "get after the delete");
    assertEqual(await store.list({ prefix: ["p07"], limit: 10 }), [], "list after the delete");
    assertEqual(
      await store.commit("p07", { mutations: [{ type: "delete", key }] }),
      { ok: true },
      "a delete of an absent key",
    );
  }),

  storeCase(
    "getMany returns texts in the given order, across partitions, also for repeated keys",
    async (store) => {
      await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "a"], value: "first" }] });
      await store.commit("p63", { mutations: [{ type: "set", key: ["p63", "a"], value: "last" }] });
      assertEqual(
        await store.getMany([
          ["p63", "a"],
          ["p00", "a"],
          ["p63", "b"],
          ["p63", "a"],
        ]),
        ["last", "first", undefined, "last"],
        "getMany",
      );
      assertEqual(await store.getMany([]), [], "getMany without keys");
    },
  ),

  storeCase("a text with half of a surrogate pair is rejected, not altered", async (store) => {
    for (const value of ["\uD800", "a\uDFFF", "\uDC00\uD800"]) {
      await assertRefused(
        () => store.commit("p07", { mutations: [{ type: "set", key, value }] }),
        "invalid_value",
        "a set",
      );
      await assertRefused(
        () => store.commit("p07", { checks: [{ key, value }], mutations: [] }),
        "invalid_value",
        "a check",
      );
    }
    assertEqual(await store.get(key), undefined, "get");
  }),

  storeCase("a text may take up to 16 MiB of UTF-8", async (store) => {
    // 16 bytes in 8 UTF-16 units, with characters of every length.
    const largest = "x漢é😀\uFFFDxé".repeat(1024 * 1024);
    await store.commit("p07", { mutations: [{ type: "set", key, value: largest }] });
    assertEqual((await store.get(key)) === largest, true, "the largest text comes back");
    await store.commit("p07", {
      checks: [{ key, value: largest }],
      mutations: [{ type: "set", key, value: largest, expiresAt: 4e12 }],
    });
    assertEqual((await store.get(key)) === largest, true, "the largest text comes back with an expiry");
    const commit = await store.commit("p07", {
      checks: [{ key, value: largest }],
      mutations: [{ type: "delete", key }],
    });
    assertEqual(commit, { ok: true }, "a check of the largest text");
    const set = (value: string) => store.commit("p07", { mutations: [{ type: "set", key, value }] });
    await assertRefused(() => set(`${largest}x`), "value_too_large", "one byte more");
    await assertRefused(
      () => set("x".repeat(16 * 1024 * 1024 + 1)),
      "value_too_large",
      "one byte more of ASCII",
    );
  }),

  storeCase("an error names the invalid key", async (store) => {
    const error: unknown = await store
      .commit("p07", { mutations: [{ type: "set", key: ["p08", "elsewhere"], value: "" }] })
      .catch((thrown: unknown) => thrown);
    assertEqual(
      error instanceof StorageError && error.message.includes("p08/elsewhere"),
      true,
      "the message names the key",
    );
  }),
];
