import type { Entry, Key, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { findRuns } from "@hookwright/storage/sorted-runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readMergedIndex } from "../src/store/index-page.ts";
import { comparePositions } from "../src/store/positions.ts";
import type { Position } from "../src/store/positions.ts";
import { countReads } from "./support/count-reads.ts";

const prefix: Key = ["p00", "index"];

interface Indexed extends Position {
  readonly parts: readonly string[];
}

/** A store with these rows, which counts what is read. */
async function openIndex(rows: readonly Indexed[], others: readonly Entry[] = []) {
  const base = memoryStore();
  const set = (key: Key) => ({ type: "set" as const, key, value: "" });
  await base.commit("p00", {
    mutations: [
      ...rows.map(({ parts, createdAt, arrival, id }) => set([...prefix, ...parts, createdAt, arrival, id])),
      ...others.map(({ key }) => set(key)),
    ],
  });
  return countReads(base);
}

function rowsOf(count: number, partsOf: (number: number) => readonly string[]): Indexed[] {
  return Array.from({ length: count }, (_, number) => ({
    parts: partsOf(number),
    createdAt: number,
    arrival: number,
    id: `ord_${number}`,
  }));
}

it("a fixed dimension behind an open one is found without reading every run", async () => {
  const rows = rowsOf(5_000, (number) => [`site_${number % 5}`, `status_${Math.floor(number / 5)}`]);
  const { store, read } = await openIndex(rows);
  const runs = await findRuns(store, prefix, [undefined, "status_700"]);
  expect(runs).toEqual([0, 1, 2, 3, 4].map((site) => [...prefix, `site_${site}`, "status_700"]));
  expect(read.lists).toBeLessThan(20);
  expect(await findRuns(store, prefix, [undefined, "none"])).toEqual([]);
  expect(read.lists).toBeLessThan(40);
});

it("a page of many runs reads hardly more than it shows", async () => {
  const rows = rowsOf(60_000, (number) => [`site_${number % 20}`, `status_${number % 7}`]);
  const { store, read } = await openIndex(rows);
  const shown = await readMergedIndex(store, {
    prefixes: [prefix],
    dimensions: [undefined, undefined],
    limit: 101,
  });
  expect(shown.map(({ createdAt }) => createdAt)).toEqual(
    Array.from({ length: 101 }, (_, at) => 59_999 - at),
  );
  expect(read.entries).toBeLessThan(1_000);
});

it("a page may come from a single run", async () => {
  const rows = rowsOf(6_000, (number) => [number < 5_000 ? `site_${number % 50}` : "site_busy", "paid"]);
  const { store, read } = await openIndex(rows);
  const shown = await readMergedIndex(store, {
    prefixes: [prefix],
    dimensions: [undefined, undefined],
    limit: 101,
  });
  expect(shown.map(({ createdAt }) => createdAt)).toEqual(Array.from({ length: 101 }, (_, at) => 5_999 - at));
  expect(read.entries).toBeLessThan(1_000);
});

it.each(Array.from({ length: 30 }, (_, index) => 10 * index + 1))(
  "a row that moves to another run is on the page, if it moves after read %i",
  async (moment) => {
    const rows = rowsOf(1_000, (number) => [`run_${String(number % 100).padStart(2, "0")}`]);
    const { store } = await openIndex(rows);
    let lists = 0;
    const moving: Store = {
      ...store,
      async list(options) {
        const entries = await store.list(options);
        lists += 1;
        if (lists === moment) {
          await store.commit("p00", {
            mutations: [
              { type: "delete", key: [...prefix, "run_99", 999, 999, "ord_999"] },
              { type: "set", key: [...prefix, "run_00", 999, 999, "ord_999"], value: "" },
            ],
          });
        }
        return entries;
      },
    };
    const shown = await readMergedIndex(moving, { prefixes: [prefix], dimensions: [undefined], limit: 100 });
    expect(shown.map(({ createdAt }) => createdAt)).toEqual(Array.from({ length: 100 }, (_, at) => 999 - at));
  },
);

it("finds runs behind texts that begin with the greatest character", async () => {
  const statuses = ["paid", "\u{10ffff}", "\u{10ffff}x"];
  const { store, read } = await openIndex(
    rowsOf(6, (number) => [`site_${number % 2}`, `${statuses[number % 3]}`]),
  );
  for (const status of [...statuses, "none", "\u{10ffff}none"]) {
    const runs = await findRuns(store, prefix, [undefined, status]);
    const sites = statuses.includes(status) ? ["site_0", "site_1"] : [];
    expect(runs).toEqual(sites.map((site) => [...prefix, site, status]));
  }
  expect(read.lists).toBeLessThan(40);
});

it("finds the same rows as a full scan, with any filters", async () => {
  const part = fc.constantFrom("a", "b", "bb", "c", "\uffff", "\u{1f300}", "\u{10ffff}", "\u{10ffff}x");
  const row = fc.record({
    parts: fc.tuple(part, part, part),
    createdAt: fc.nat(20),
    arrival: fc.nat(5),
    id: fc.constantFrom("x", "y", "z"),
  });
  const filter = fc.option(part, { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 200, size: "max" }),
      fc.tuple(filter, filter, filter),
      fc.option(
        fc.record({ createdAt: fc.nat(20), arrival: fc.nat(5), id: fc.constantFrom("x", "y", "z") }),
        {
          nil: undefined,
        },
      ),
      // Few runs are read at once, many in groups.
      fc.constantFrom(1, 5, 15, 40, 101),
      async (rows, dimensions, after, limit) => {
        const { store } = await openIndex(rows, [{ key: ["p00", "indey", "a"], value: "" }]);
        const shown = await readMergedIndex(store, { prefixes: [prefix], dimensions, after, limit });
        const matching = rows
          .filter(({ parts }) =>
            dimensions.every((wanted, index) => (wanted ?? parts[index]) === parts[index]),
          )
          .filter((each) => after === undefined || comparePositions(after, each) < 0)
          .map(({ createdAt, arrival, id }) => ({ createdAt, arrival, id }))
          .sort(comparePositions);
        const expected = matching.filter(
          (each, index) => index === 0 || comparePositions(matching[index - 1] ?? each, each) !== 0,
        );
        expect(shown).toEqual(expected.slice(0, limit));
      },
    ),
  );
});
