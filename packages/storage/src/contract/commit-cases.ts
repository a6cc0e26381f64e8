import type { Commit, Entry, Key, Mutation, Store } from "../port.ts";
import { assertEqual, assertRefused, assertTrue } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const a: Key = ["p30", "a"];
const b: Key = ["p30", "b"];

const set = (key: Key, value: string): Mutation => ({ type: "set", key, value });
const sum = (key: Key, amount: number): Mutation => ({ type: "sum", key, amount });
const commit = (store: Store, ...mutations: Mutation[]) => store.commit("p30", { mutations });

export const commitCases: readonly StoreContractCase[] = [
  storeCase("a commit applies all its mutations", async (store) => {
    assertEqual(await commit(store, set(a, "1"), set(b, "2")), { ok: true }, "the result");
    assertEqual(await store.getMany([a, b]), ["1", "2"], "getMany");
    assertEqual(await store.commit("p30", { mutations: [] }), { ok: true }, "an empty commit");
  }),

  storeCase("a commit with a failed check names the check and writes nothing", async (store) => {
    await commit(store, set(a, "old"));
    const failing: readonly [Commit["checks"], Key][] = [
      [[{ key: a, value: "other" }], a],
      [[{ key: a, value: undefined }], a],
      [[{ key: b, value: "" }], b],
      [
        [
          { key: b, value: undefined },
          { key: a, value: "old " },
        ],
        a,
      ],
      [
        [
          { key: b, value: "x" },
          { key: a, value: "x" },
        ],
        b,
      ],
      [
        [
          { key: a, value: "old" },
          { key: ["p30", "a", "old"], value: "" },
        ],
        ["p30", "a", "old"],
      ],
    ];
    for (const [checks, failed] of failing) {
      const result = await store.commit("p30", {
        checks: checks ?? [],
        mutations: [set(a, "new"), set(b, "new"), { type: "delete", key: a }, sum(["p30", "c"], 1)],
      });
      assertEqual(result, { ok: false, failed }, "the result");
      assertEqual(await store.list({ prefix: ["p30"], limit: 10 }), [{ key: a, value: "old" }], "the store");
    }
  }),

  storeCase("a store without an outbox refuses a commit that takes rows", async (store) => {
    if (store.outbox !== undefined) return;
    const taking = () => store.commit("p30", { mutations: [set(a, "1")], takes: ["1"] });
    await assertRefused(taking, "invalid_argument", "a commit with takes");
    assertEqual(await store.get(a), undefined, "the store");
    assertEqual(
      await store.commit("p30", { mutations: [set(a, "1")], takes: [] }),
      { ok: true },
      "a commit with an empty list",
    );
  }),

  storeCase("a commit whose checks hold is applied", async (store) => {
    await commit(store, set(a, "old"));
    const checks = [
      { key: a, value: "old" },
      { key: b, value: undefined },
    ];
    assertEqual(
      await store.commit("p30", { checks, mutations: [set(a, "new"), set(b, "new")] }),
      { ok: true },
      "the result",
    );
    assertEqual(await store.getMany([a, b]), ["new", "new"], "getMany");
  }),

  storeCase("checks compare texts: a key that was changed and changed back passes", async (store) => {
    await commit(store, set(a, "first"));
    await commit(store, set(a, "second"));
    await commit(store, set(a, "first"));
    await commit(store, { type: "delete", key: b });
    const checks = [
      { key: a, value: "first" },
      { key: b, value: undefined },
    ];
    assertEqual(
      await store.commit("p30", { checks, mutations: [set(b, "done")] }),
      { ok: true },
      "the result",
    );
  }),

  storeCase("checks are evaluated before the mutations of their commit", async (store) => {
    const result = await store.commit("p30", {
      checks: [{ key: a, value: undefined }],
      mutations: [set(a, "set"), set(b, "set")],
    });
    assertEqual(result, { ok: true }, "the result");
  }),

  storeCase("mutations of one key apply in order", async (store) => {
    await commit(store, set(a, "1"), { type: "delete", key: a }, set(b, "1"), set(b, "2"));
    assertEqual(await store.getMany([a, b]), [undefined, "2"], "set and delete, set and set");
    await commit(store, { type: "delete", key: b }, set(b, "3"), set(a, "10"), sum(a, 5), sum(a, 1));
    assertEqual(await store.getMany([a, b]), ["16", "3"], "delete and set, set and sums");
    await commit(store, sum(a, 1), { type: "delete", key: a }, sum(a, 2));
    assertEqual(await store.get(a), "2", "a sum after a delete");
    await commit(store, sum(a, 1), set(a, "text"));
    assertEqual(await store.get(a), "text", "a set after a sum");
    await commit(store, { type: "delete", key: a }, sum(a, 1), set(a, "\u00011:text"));
    assertEqual(await store.get(a), "\u00011:text", "a set of any text after a sum");
  }),

  storeCase("a sum counts from 0, in decimal integers of either sign", async (store) => {
    await commit(store, sum(a, 3));
    await commit(store, sum(a, 4), sum(b, -5));
    assertEqual(await store.getMany([a, b]), ["7", "-5"], "after two commits");
    await commit(store, sum(a, -7), sum(b, 0));
    assertEqual(await store.getMany([a, b]), ["0", "-5"], "down to 0");
    await commit(store, set(a, String(Number.MAX_SAFE_INTEGER - 1)), sum(a, 1));
    assertEqual(await store.get(a), String(Number.MAX_SAFE_INTEGER), "up to the largest");
    await commit(store, set(a, String(-Number.MAX_SAFE_INTEGER)), sum(a, 1));
    assertEqual(await store.get(a), String(1 - Number.MAX_SAFE_INTEGER), "from the smallest");
  }),

  storeCase("a commit with an invalid sum is rejected and writes nothing", async (store) => {
    const texts = [
      "",
      "x",
      "1.5",
      "1e3",
      " 1",
      "1 ",
      "01",
      "+1",
      "-0",
      "--1",
      "9007199254740992",
      "0x10",
      "١",
    ];
    for (const text of texts) {
      await commit(store, set(a, text));
      for (const amount of [1, -1]) {
        await assertRefused(
          () => commit(store, set(b, "half"), sum(a, amount)),
          "invalid_sum",
          `a sum of ${amount} on ${JSON.stringify(text)}`,
        );
      }
      assertEqual(await store.getMany([a, b]), [text, undefined], "the store");
    }
    const refused = (what: string, ...mutations: Mutation[]) =>
      assertRefused(() => commit(store, ...mutations), "invalid_sum", what);
    await refused("a sum on a text of the same commit", set(b, "x"), sum(b, 1));
    assertEqual(await store.get(b), undefined, "the store");
    await commit(store, set(a, String(Number.MAX_SAFE_INTEGER)));
    await refused("a sum above the safe integers", set(b, "half"), sum(a, 1));
    await refused("two sums that end above them", sum(a, -1), sum(a, 2));
    assertEqual(await store.getMany([a, b]), [String(Number.MAX_SAFE_INTEGER), undefined], "the store");
    for (const amount of [0.5, Number.NaN, Infinity, 2 ** 53]) {
      await assertRefused(
        () => commit(store, set(b, "half"), sum(a, amount)),
        "invalid_argument",
        `the amount ${amount}`,
      );
    }
    assertEqual(await store.get(b), undefined, "the store");
  }),

  storeCase("a commit with a key of another partition is rejected and writes nothing", async (store) => {
    const elsewhere: Key = ["p31", "a"];
    await assertRefused(
      () => commit(store, set(a, "half"), set(elsewhere, "x")),
      "wrong_partition",
      "a mutation",
    );
    await assertRefused(
      () =>
        store.commit("p30", { checks: [{ key: elsewhere, value: undefined }], mutations: [set(a, "half")] }),
      "wrong_partition",
      "a check",
    );
    assertEqual(await store.getMany([a, elsewhere]), [undefined, undefined], "the store");
  }),

  storeCase("a commit with invalid input writes nothing, wherever the invalid input is", async (store) => {
    const refused: readonly Mutation[] = [
      set(b, "\uD800"),
      set(["p30", Number.NaN], ""),
      { type: "delete", key: ["p30", "x".repeat(2_000)] },
      { type: "set", key: b, value: "", expiresAt: Number.NaN },
    ];
    for (const mutation of refused) {
      let thrown = false;
      await commit(store, set(a, "half"), mutation, set(b, "half")).catch(() => (thrown = true));
      assertTrue(thrown, "the commit is rejected");
    }
    assertEqual(await store.list({ prefix: ["p30"], limit: 10 }), [], "the store");
    assertEqual(await commit(store, set(a, "whole")), { ok: true }, "the next commit");
    assertEqual(await store.list({ prefix: ["p30"], limit: 10 }), [{ key: a, value: "whole" }], "the store");
  }),

  storeCase("changes of the caller's arrays after the call do not affect the commit", async (store) => {
    const key: [string, ...string[]] = ["p30", "before"];
    const mutations = [set(key, "before")];
    const promise = store.commit("p30", { mutations });
    key[1] = "after";
    mutations.push(set(b, "after"));
    await promise;
    assertEqual(
      await store.list({ prefix: ["p30"], limit: 10 }),
      [{ key: ["p30", "before"], value: "before" }],
      "the store",
    );
  }),

  storeCase("changes of the caller's arrays after the call do not affect the error", async (store) => {
    const key: [string, ...string[]] = ["p30", "before"];
    await commit(store, set(key, "no number"));
    const checks = [{ key, value: "another" }];
    const mutations = [sum(key, 1)];
    const answers = Promise.allSettled([
      store.commit("p30", { checks, mutations: [] }),
      store.commit("p30", { mutations }),
    ]);
    key[1] = "after";
    checks.length = 0;
    mutations.length = 0;
    const [failed, refused] = await answers;
    assertEqual(failed, { status: "fulfilled", value: { ok: false, failed: ["p30", "before"] } }, "a check");
    assertTrue(
      refused.status === "rejected" && String(refused.reason).includes("p30/before"),
      "the error names the invalid sum",
    );
  }),

  storeCase("a commit may be large", async (store) => {
    // More than some stores accept in one call.
    const size = 9_000;
    const rows = Array.from({ length: size }, (_, index): Entry => {
      return { key: ["p30", "many", index], value: `${index} ${"x".repeat(150)}` };
    });
    const everything = { prefix: ["p30", "many"], limit: size + 1 } as const;
    await store.commit("p30", { mutations: rows.map(({ key, value }) => set(key, value)) });
    const entries = await store.list(everything);
    assertEqual(entries.length, size, "the number of entries");
    assertEqual(entries, rows, "the entries");
    assertEqual((await store.list({ ...everything, reverse: true })).length, size, "in reverse");
    assertEqual(
      await store.getMany(rows.map(({ key }) => key)),
      rows.map(({ value }) => value),
      "getMany",
    );
    const mutations = rows.map(({ key }) => ({ type: "delete", key }) as const);
    const last: Key = ["p30", "many", size];
    assertEqual(
      await store.commit("p30", { checks: [...rows, { key: last, value: "" }], mutations }),
      { ok: false, failed: last },
      "a commit whose last check fails",
    );
    assertEqual(
      await store.commit("p30", { checks: rows, mutations }),
      { ok: true },
      "a commit whose checks hold",
    );
    assertEqual(await store.list(everything), [], "the remaining entries");
  }),
];
