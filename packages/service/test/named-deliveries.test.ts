import { memoryStore } from "@hookwright/storage/memory";
import fc from "fast-check";
import { expect, it } from "vitest";
import { more } from "../../../scripts/test/support/seed.ts";
import { createListNamed } from "../src/lookups/named-deliveries.ts";
import { keys } from "../src/rows/keys.ts";

const toId = (number: number): string => `dlv_${String(number).padStart(32, "0")}`;

async function openRecords(records: readonly (readonly number[])[]) {
  const store = memoryStore();
  const mutations = records.flatMap((numbers, record) =>
    numbers.map((number) => ({
      type: "set" as const,
      key: keys.deliveryOfRecord("acc_1", `ord_${record}`, toId(number)),
      value: "",
    })),
  );
  const [first] = mutations;
  if (first !== undefined) await store.commit(first.key[0], { mutations });
  let lists = 0;
  const counted = {
    ...store,
    list: (options: Parameters<typeof store.list>[0]) => {
      lists += 1;
      return store.list(options);
    },
  };
  const found = records.map((_, record) => {
    return { kind: "orders", id: `ord_${record}`, head: undefined, by: "number" as const };
  });
  return { list: createListNamed(counted, "acc_1", found, undefined), lists: () => lists };
}

it("lists the deliveries of records newest first, from any place", async () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(numbers, { maxLength: 4 }),
      fc.array(
        fc.tuple(
          fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
          fc.integer({ min: 1, max: 250 }),
        ),
      ),
      async (records, pages) => {
        const { list } = await openRecords(records);
        const sorted = [...new Set(records.flat())].toSorted((left, right) => right - left);
        for (const [before, limit] of pages) {
          const expected = sorted.filter((each) => before === undefined || each < before).slice(0, limit);
          const found = await list(before === undefined ? undefined : toId(before), limit);
          expect(found).toEqual(expected.map(toId));
        }
      },
    ),
    { numRuns: 50 * more },
  );
});

it("reads each entry once for all pages", async () => {
  const records = Array.from({ length: 300 }, (_, record) =>
    record === 0 ? Array.from({ length: 5_000 }, (__, number) => number) : [record],
  );
  const { list, lists } = await openRecords(records);
  let before: string | undefined;
  let pages = 0;
  for (; pages < 100; pages++) {
    const ids = await list(before, 100);
    if (ids.length === 0) break;
    before = ids.at(-1);
  }
  expect(pages).toBe(50);
  expect(lists()).toBeLessThan(360);
});
