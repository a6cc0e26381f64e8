import type { Entry, Key, Store } from "../port.ts";
import { assertEqual, assertRefused, assertTrue } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const counter: Key = ["p50", "counter"];

/** Increments the counter: reads it and commits with a check, until the check holds. */
async function increment(store: Store): Promise<void> {
  for (;;) {
    const value = await store.get(counter);
    const { ok } = await store.commit("p50", {
      checks: [{ key: counter, value }],
      mutations: [{ type: "set", key: counter, value: String(Number(value ?? 0) + 1) }],
    });
    if (ok) return;
  }
}

export const concurrencyCases: readonly StoreContractCase[] = [
  storeCase("only one of many commits that create the same key succeeds", async (store) => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.commit("p50", {
          checks: [{ key: counter, value: undefined }],
          mutations: [
            { type: "set", key: counter, value: String(index) },
            { type: "set", key: ["p50", "by", index], value: "" },
          ],
        }),
      ),
    );
    assertEqual(results.filter(({ ok }) => ok).length, 1, "commits that succeeded");
    const winner = results.findIndex(({ ok }) => ok);
    assertEqual(await store.get(counter), String(winner), "the text is the winner's");
    assertEqual(
      (await store.list({ prefix: ["p50", "by"], limit: 9 })).map(({ key }) => key),
      [["p50", "by", winner]],
      "the rows",
    );
  }),

  storeCase("concurrent check-and-set increments lose nothing", async (store) => {
    await Promise.all(Array.from({ length: 20 }, () => increment(store)));
    assertEqual(await store.get(counter), "20", "the counter");
  }),

  storeCase("concurrent sums lose nothing", async (store) => {
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        store.commit("p50", { mutations: [{ type: "sum", key: counter, amount: index % 2 === 0 ? 3 : -1 }] }),
      ),
    );
    assertEqual(await store.get(counter), "200", "the counter");
  }),

  storeCase("concurrent sums near the largest integer are refused one by one", async (store) => {
    const other: Key = ["p50", "other"];
    await store.commit("p50", {
      mutations: [{ type: "set", key: counter, value: String(Number.MAX_SAFE_INTEGER - 5) }],
    });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        store.commit("p50", {
          mutations: [
            { type: "set", key: ["p50", "by", index], value: "" },
            { type: "sum", key: other, amount: 1 },
            { type: "sum", key: counter, amount: 1 },
          ],
        }),
      ),
    );
    const refused = results.filter((result) => result.status === "rejected");
    for (const { reason } of refused)
      await assertRefused(() => Promise.reject(reason), "invalid_sum", "a sum that is too large");
    assertEqual(refused.length, 15, "refused commits");
    assertEqual(await store.get(counter), String(Number.MAX_SAFE_INTEGER), "the counter");
    assertEqual(await store.get(other), "5", "the other counter");
    assertEqual((await store.list({ prefix: ["p50", "by"], limit: 30 })).length, 5, "the rows");
  }),

  storeCase("a rejected commit does not affect concurrent commits", async (store) => {
    const set = (part: string, value: string) =>
      store.commit("p50", { mutations: [{ type: "set", key: ["p50", part], value }] });
    const before = set("before", "1");
    const refused = assertRefused(() => set("refused", "\uD800"), "invalid_value", "an invalid text");
    const badSum = assertRefused(
      () =>
        store.commit("p50", {
          mutations: [
            { type: "set", key: ["p50", "sum"], value: "x" },
            { type: "sum", key: ["p50", "sum"], amount: 1 },
          ],
        }),
      "invalid_sum",
      "an invalid sum",
    );
    const failed = store.commit("p50", { checks: [{ key: ["p50", "none"], value: "" }], mutations: [] });
    const after = set("after", "2");
    await Promise.all([before, refused, badSum, after]);
    assertEqual(await failed, { ok: false, failed: ["p50", "none"] }, "a failed check");
    assertEqual(
      await store.list({ prefix: ["p50"], limit: 9 }),
      [
        { key: ["p50", "after"], value: "2" },
        { key: ["p50", "before"], value: "1" },
      ],
      "the store",
    );
  }),

  storeCase("concurrent commits may be large together", async (store) => {
    const rows = Array.from({ length: 60 }, (_, index): Entry => {
      return { key: ["p50", "large", index], value: `${index} ${"漢".repeat((index * 7_919) % 16_000)}` };
    });
    const isRefused = (index: number) => index % 7 === 3;
    const results = await Promise.all(
      rows.map(({ key, value }, index) =>
        store.commit("p50", {
          checks: [{ key, value: isRefused(index) ? value : undefined }],
          mutations: [
            { type: "set", key, value },
            { type: "sum", key: counter, amount: 1 },
          ],
        }),
      ),
    );
    assertEqual(
      results,
      rows.map(({ key }, index) => (isRefused(index) ? { ok: false, failed: key } : { ok: true })),
      "the results",
    );
    const kept = rows.filter((_, index) => !isRefused(index));
    assertEqual(await store.list({ prefix: ["p50", "large"], limit: 100 }), kept, "the rows");
    assertEqual(await store.get(counter), String(kept.length), "the counter");
  }),

  storeCase("a read sees every commit that resolved before it", async (store) => {
    for (let index = 0; index < 50; index++) {
      await store.commit("p50", {
        mutations: [{ type: "set", key: ["p50", "row", index], value: String(index) }],
      });
      assertEqual(await store.get(["p50", "row", index]), String(index), "get");
      assertEqual((await store.list({ prefix: ["p50", "row"], limit: 100 })).length, index + 1, "list");
    }
  }),

  storeCase("a list that runs during a commit never shows half of it", async (store) => {
    const pair = (value: string) =>
      store.commit("p50", {
        mutations: [
          { type: "set", key: ["p50", "pair", 1], value },
          { type: "set", key: ["p50", "pair", 2], value },
        ],
      });
    await pair("0");
    for (let round = 1; round <= 50; round++) {
      const writing = pair(String(round));
      const [first, second] = await store.list({ prefix: ["p50", "pair"], limit: 2 });
      assertTrue(
        first !== undefined && first.value === second?.value,
        `both rows of a pair are of one commit, in round ${round}`,
      );
      await writing;
    }
  }),
];
