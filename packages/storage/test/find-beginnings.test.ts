import fc from "fast-check";
import { expect, it } from "vitest";
import { more } from "../../../scripts/test/support/seed.ts";
import { memoryStore } from "../src/memory.ts";
import type { Key, Store } from "../src/port.ts";
import { createReadBudget, findBeginnings, toLowerAscii } from "../src/sorted-runs.ts";

const prefix: Key = ["p00", "record", "acc_1"];

async function openStore(parts: readonly string[], wrap: (store: Store) => Store = (store) => store) {
  const store = memoryStore();
  const others: readonly Key[] = [
    ["p00", "record", "acc_0", "ord_1"],
    ["p00", "record", "acc_2", "ord_1"],
  ];
  await store.commit("p00", {
    mutations: [...parts.map((part): Key => [...prefix, part, 1]), ...others].map((key) => ({
      type: "set",
      key,
      value: "a row",
    })),
  });
  return wrap(store);
}

async function find(store: Store, text: string, options: { isWhole?: boolean; maximum?: number } = {}) {
  const { isWhole, maximum = 1_000 } = options;
  const found = await findBeginnings(store, {
    prefix,
    text,
    isWhole,
    budget: createReadBudget({ entries: maximum }),
  });
  return { ...found, entries: found.entries.map(({ key }) => key[prefix.length]) };
}

it("finds all parts that begin with a text in any case, or are the text", async () => {
  // Few letters, so that many texts have a beginning in common.
  const unit = fc.constantFrom("a", "A", "b", "B", "_", "9", "é", "É", "𝄞", "\uE000");
  const part = fc.string({ unit, minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(part, { maxLength: 60 }),
      part,
      fc.boolean(),
      async (parts, text, isWhole) => {
        const store = await openStore(parts);
        const wanted = toLowerAscii(text);
        const expected = parts.filter((each) =>
          isWhole ? toLowerAscii(each) === wanted : toLowerAscii(each).startsWith(wanted),
        );
        const { entries, isComplete } = await find(store, text, { isWhole });
        expect(isComplete).toBe(true);
        expect(new Set(entries)).toEqual(new Set(expected));
        expect(entries).toHaveLength(expected.length);
      },
    ),
    { numRuns: 300 * more },
  );
});

it("a thousand ids of one form cost a few reads", async () => {
  let reads = 0;
  const parts = Array.from({ length: 1_000 }, (_, number) => `ord_${number}`);
  const store = await openStore(parts, (inner) => ({
    ...inner,
    list: (options) => {
      reads += 1;
      return inner.list(options);
    },
  }));
  expect(await find(store, "ORD_777")).toEqual({ entries: ["ord_777"], isComplete: true });
  expect(reads).toBeLessThanOrEqual(3);
});

it("says that there are more than the maximum", async () => {
  const store = await openStore(["a1", "a2", "A3"]);
  expect(await find(store, "a", { maximum: 3 })).toMatchObject({ isComplete: true });
  expect(await find(store, "a", { maximum: 2 })).toEqual({ entries: ["A3", "a1"], isComplete: false });
});

it("ids of any letters cannot make it read without end", async () => {
  const letters = (number: number): string =>
    [...number.toString(2).padStart(10, "0")].map((bit) => (bit === "0" ? "a" : "A")).join("");
  // Every other place that may match has a neighbour that does not.
  const store = await openStore(Array.from({ length: 1_024 }, (_, number) => `${letters(number)}x`));
  expect(await find(store, "aaaaaaaaaay")).toEqual({ entries: [], isComplete: false });
});

it("several searches share a budget of entries, characters and reads", async () => {
  const store = await openStore(Array.from({ length: 100 }, (_, number) => `a${number}`));
  const parent = createReadBudget({ entries: 60, characters: 10_000, reads: 100 });
  const budgets = [40, 40].map((entries) => createReadBudget({ entries, parent }));
  const found = await Promise.all(
    budgets.map((budget) => findBeginnings(store, { prefix, text: "a", budget })),
  );
  expect(found.map(({ isComplete }) => isComplete)).toEqual([false, false]);
  expect(found.flatMap(({ entries }) => entries)).toHaveLength(60);
  for (const limits of [
    { entries: 1_000, characters: 25 },
    { entries: 1_000, reads: 2 },
  ]) {
    const budget = createReadBudget(limits);
    const { entries, isComplete } = await findBeginnings(store, { prefix, text: "a", budget });
    expect({ isComplete, isSpent: budget.isSpent, found: entries.length }).toEqual({
      isComplete: false,
      isSpent: true,
      found: 5,
    });
  }
});
