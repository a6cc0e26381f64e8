import { expect, it, onTestFinished, vi } from "vitest";
import { StorageError, type Entry, type Mutation, type Store } from "@hookwright/storage";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { encodeKey } from "../src/keys/key-codec.ts";
import { createCheckpointSchedule } from "../src/unstorage/checkpoint-schedule.ts";
import { createCheckpointer } from "../src/unstorage/checkpointer.ts";
import { nextSession } from "../src/unstorage/item-names.ts";
import { createItems } from "../src/unstorage/items.ts";
import { createJournal } from "../src/unstorage/journal.ts";
import type { Ownership } from "../src/unstorage/ownership.ts";
import { createParts } from "../src/unstorage/parts.ts";
import { createRows } from "../src/unstorage/rows.ts";
import { createFaultyDriver, type FaultyDriver } from "./support/faulty-driver.ts";

const checkpointSize = 32_000;
const rowCount = 3_000;
const within10s = { timeout: 10_000 };
const everything = { prefix: ["p01"], limit: 100_000 } as const;

const setRow = (index: number, text: string): Mutation => ({
  type: "set",
  key: ["p01", "row", index],
  value: `${text} ${"x".repeat(60)}`,
});

function open(
  driver: FaultyDriver,
  more: { readonly onError?: (error: unknown) => void; now?: () => number } = {},
) {
  return openUnstorageStore({ storage: driver.storage, checkpointSize, ...more });
}

function itemsOf(driver: FaultyDriver, kind: string): string[] {
  return [...driver.data.keys()].filter((name) => name.startsWith(`hookwright:${kind}:`)).toSorted();
}

/** A closed store with many rows in a checkpoint. */
async function filled(): Promise<{ readonly driver: FaultyDriver; readonly contents: readonly Entry[] }> {
  const driver = createFaultyDriver();
  const store = await open(driver);
  await fill(store);
  const contents = await store.list(everything);
  await store.close();
  expect(itemsOf(driver, "part").length).toBeGreaterThan(20);
  return { driver, contents };
}

async function fill(store: Store, text = "first"): Promise<void> {
  for (let start = 0; start < rowCount; start += 100) {
    await store.commit("p01", {
      mutations: Array.from({ length: 100 }, (_, index) => setRow(start + index, text)),
    });
  }
}

it("checkpoints keep the log short and lose nothing", async () => {
  const { driver, contents } = await filled();
  expect(contents).toHaveLength(rowCount);
  expect(itemsOf(driver, "manifest")).toHaveLength(1);
  expect(itemsOf(driver, "log").length).toBeLessThan(rowCount / 100);
  await using store = await open(driver);
  expect(await store.list(everything)).toEqual(contents);
});

it("a checkpoint rewrites only changed parts", async () => {
  const { driver } = await filled();
  const store = await open(driver);
  const before = new Set(itemsOf(driver, "part"));
  // Enough writes of one row to trigger several checkpoints.
  for (let round = 0; round < 60; round++)
    await store.commit("p01", { mutations: [setRow(7, "again".repeat(1_000))] });
  await store.close();
  const written = itemsOf(driver, "part").filter((name) => !before.has(name));
  expect(written.length).toBeGreaterThan(0);
  expect(written.length).toBeLessThan(before.size / 2);
  await using again = await open(driver);
  expect(await again.get(["p01", "row", 7])).toContain("again");
  expect((await again.list(everything)).length).toBe(rowCount);
});

it("commits continue during a checkpoint", async () => {
  const driver = createFaultyDriver();
  const gate = Promise.withResolvers<void>();
  const { storage } = driver;
  let held = 0;
  const slow: typeof storage = Object.assign(Object.create(storage), {
    async setItem(name: string, text: string) {
      if (name.startsWith("hookwright:part:")) {
        held++;
        await gate.promise;
      }
      await storage.setItem(name, text);
    },
  });
  const store = await openUnstorageStore({ storage: slow, checkpointSize });
  await fill(store);
  expect(held).toBeGreaterThan(0);
  expect(itemsOf(driver, "part")).toHaveLength(0);
  await store.commit("p01", {
    mutations: [setRow(1, "while it was written"), { type: "delete", key: ["p01", "row", 2] }],
  });
  gate.resolve();
  await vi.waitFor(() => expect(itemsOf(driver, "manifest")).toHaveLength(1), within10s);
  // The next checkpoint must write these rows again, although they did not change.
  const [manifest] = itemsOf(driver, "manifest");
  for (let round = 0; itemsOf(driver, "manifest")[0] === manifest; round++) {
    await store.commit("p01", { mutations: [setRow(rowCount + round, "long".repeat(5_000))] });
    await vi.waitFor(() => expect(itemsOf(driver, "manifest")).toHaveLength(1), within10s);
  }
  const contents = await store.list(everything);
  await store.close();
  await using again = await open(driver);
  expect(await again.list(everything)).toEqual(contents);
});

it("a failed checkpoint is reported, keeps the previous one, and is cleaned up later", async () => {
  const { driver } = await filled();
  const errors: unknown[] = [];
  const store = await open(driver, { onError: (error) => errors.push(error) });
  const [manifest] = itemsOf(driver, "manifest");
  driver.outcomeOf = ({ name }) => (name.startsWith("hookwright:part:") ? "torn" : "done");
  await fill(store, "second");
  expect(errors.length).toBeGreaterThan(0);
  expect(errors[0]).toMatchObject({ code: "unavailable" });
  expect(itemsOf(driver, "manifest")).toEqual([manifest]);
  // The next checkpoint writes the changes of the failed ones.
  driver.outcomeOf = () => "done";
  const laterBy6s = performance.now() + 6_000;
  const clock = vi.spyOn(performance, "now").mockReturnValue(laterBy6s);
  onTestFinished(() => clock.mockRestore());
  await vi.waitFor(async () => {
    await store.commit("p01", { mutations: [setRow(rowCount + 1, "far away")] });
    expect(itemsOf(driver, "manifest")).toHaveLength(1);
    expect(itemsOf(driver, "manifest")).not.toEqual([manifest]);
  }, within10s);
  const contents = await store.list(everything);
  await store.close();
  const [after = "", ...others] = itemsOf(driver, "manifest");
  expect(others).toEqual([]);
  expect(after).not.toBe(manifest);
  const listed = itemsOf(driver, "part").filter((name) =>
    driver.data.get(after)?.includes(name.slice("hookwright:".length)),
  );
  expect(itemsOf(driver, "part")).toEqual(listed);
  await using again = await open(driver);
  expect(await again.list(everything)).toEqual(contents);
});

it.each(["part", "manifest"])("a damaged or missing %s is reported by name", async (kind) => {
  const { driver } = await filled();
  const [name = ""] = itemsOf(driver, kind);
  const text = driver.data.get(name) ?? "";
  driver.data.set(name, text.slice(0, -1));
  await expect(open(driver)).rejects.toMatchObject({
    code: "corrupted",
    message: expect.stringContaining(name),
  });
  driver.data.delete(name);
  await expect(open(driver)).rejects.toMatchObject({ code: "corrupted" });
  driver.data.set(name, text);
  await using store = await open(driver);
  expect(await store.get(["p01", "row", 1])).toContain("first");
});

it("a damaged or missing manifest is also detected without a log", async () => {
  const driver = createFaultyDriver();
  const openSmall = () => openUnstorageStore({ storage: driver.storage, checkpointSize: 10 });
  const store = await openSmall();
  await store.commit("p01", { mutations: [setRow(1, "first")] });
  await store.close();
  expect(itemsOf(driver, "log")).toEqual([]);
  const [name = ""] = itemsOf(driver, "manifest");
  const text = driver.data.get(name) ?? "";
  driver.data.set(name, text.slice(0, -1));
  await expect(openSmall()).rejects.toMatchObject({
    code: "corrupted",
    message: expect.stringContaining(name),
  });
  driver.data.delete(name);
  const [part = "none"] = itemsOf(driver, "part");
  await expect(openSmall()).rejects.toMatchObject({
    code: "corrupted",
    message: expect.stringContaining(part),
  });
  driver.data.set(name, text);
  await using again = await openSmall();
  expect(await again.get(["p01", "row", 1])).toContain("first");
});

it("expired entries are removed from checkpoints", async () => {
  const driver = createFaultyDriver();
  const clock = { now: 1_800_000_000_000 };
  const now = () => clock.now;
  const store = await openUnstorageStore({
    storage: driver.storage,
    checkpointSize,
    now,
    sweepIntervalMs: 1,
  });
  const expiresAt = clock.now + 1_000;
  for (let round = 0; round < 40; round++) {
    await store.commit("p01", {
      mutations: [
        { type: "set", key: ["p01", "soon", round], value: `gone soon ${"x".repeat(2_000)}`, expiresAt },
      ],
    });
  }
  clock.now += 60_000;
  await vi.waitFor(async () => {
    await store.commit("p01", { mutations: [setRow(1, "stays".repeat(1_000))] });
    expect(
      itemsOf(driver, "part")
        .map((name) => driver.data.get(name))
        .join(""),
    ).not.toContain("gone soon");
  }, within10s);
  await store.close();
});

it("texts and keys with any characters are recovered unchanged", async () => {
  const driver = createFaultyDriver();
  const texts = [
    "",
    "\uFEFFbom",
    "\0",
    "a:b/../c?d%e\\f",
    "\r\n\x7f\x80\u2028",
    "😀".repeat(100),
    '{"json":true}',
    "null",
  ];
  const store = await open(driver);
  for (const text of texts)
    await store.commit("p01", { mutations: [{ type: "set", key: ["p01", text, -1], value: text }] });
  await store.close();
  for (const text of driver.data.values()) expect(text).toMatch(/^[\n\x20-\x7e]*$/u);
  for (const name of driver.data.keys()) expect(name).toMatch(/^[0-9a-z:-]+$/u);
  await using again = await open(driver);
  for (const text of texts) expect(await again.get(["p01", text, -1])).toBe(text);
});

it.each([
  { confirmed: 0, name: "the parts", left: ["log"], outcome: "in_use" },
  { confirmed: 1, name: "the manifest", left: ["log", "manifest"], outcome: "in_use" },
  { confirmed: 2, name: "nothing else", left: ["log", "manifest"], outcome: "reported" },
  { confirmed: 9, name: "everything, its own", left: ["manifest"], outcome: "done" },
])(
  "a checkpoint that is taken over when it has written $name leaves $left",
  async ({ confirmed, left, outcome }) => {
    const driver = createFaultyDriver();
    const items = createItems({ storage: driver.storage, timeoutMs: 1_000 });
    let confirms = Number.POSITIVE_INFINITY;
    const ownership: Ownership = {
      session: nextSession([], "a".repeat(16)),
      isLost: () => false,
      release: async () => {},
      async confirm() {
        confirms -= 1;
        if (confirms < 0) throw new StorageError("in_use", "taken over");
      },
    };
    const rows = createRows({ now: () => 0 });
    const parts = createParts([], 1);
    const journal = createJournal({ items, ownership, position: undefined, found: [] });
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const checkpointer = createCheckpointer({
      items,
      ownership,
      journal,
      rows,
      parts,
      partSize: 10,
      found: [],
      onError,
    });
    journal.applied(await journal.append(['[["p01","a"],"text"]']));
    rows.put(encodeKey(["p01", "a"]), { text: "text", expiresAt: undefined });
    parts.mark(encodeKey(["p01", "a"]));
    confirms = confirmed;
    const ended = await checkpointer.run().then(
      () => (errors.length === 0 ? "done" : "reported"),
      (error: unknown) => (error instanceof StorageError ? error.code : error),
    );
    expect(ended).toBe(outcome);
    expect(itemsOf(driver, "part")).toHaveLength(1);
    expect(["log", "manifest"].filter((kind) => itemsOf(driver, kind).length > 0)).toEqual(left);
  },
);

it("a small part is rewritten together with a changed neighbour", () => {
  const entry = (from: string, size: number) => ({ from, name: `part:${from}`, size });
  const parts = createParts(
    [entry("", 100), entry("b", 9), entry("c", 100), entry("d", 9), entry("e", 10)],
    10,
  );
  parts.mark("a");
  parts.mark("ee");
  expect(parts.begin()).toEqual([
    { first: 0, count: 2, from: "", to: "c" },
    { first: 3, count: 2, from: "d", to: "\xff" },
  ]);
});

it("a checkpoint is due when the log is half as long as the last one, or has 2,000 items", async () => {
  let runs = 0;
  let held = 1_000;
  const schedule = createCheckpointSchedule({
    run: async () => void runs++,
    heldSize: () => held,
    minSize: 100,
    initial: { items: 1_990, size: 400 },
    clock: () => 0,
    onError: () => {},
  });
  /** Adds one item to the log and returns the number of checkpoints so far. */
  const grow = async (size: number): Promise<number> => {
    const before = runs;
    schedule.grown(size);
    await new Promise(setImmediate);
    return runs - before;
  };
  expect(await grow(99)).toBe(0);
  held = 4_000;
  expect(await grow(1)).toBe(1);
  expect(await grow(1_999)).toBe(0);
  held = 0;
  expect(await grow(1)).toBe(1);
  expect(await grow(99)).toBe(0);
  expect(await grow(1)).toBe(1);
  for (let item = 1; item < 2_000; item++) expect(await grow(0)).toBe(0);
  expect(await grow(0)).toBe(1);
  await schedule.ended();
  expect(await grow(10_000)).toBe(0);
});

it("a failed checkpoint is retried after a pause, with the next log item", async () => {
  const clock = { now: 0 };
  let runs = 0;
  const schedule = createCheckpointSchedule({
    run: () => (++runs === 1 ? Promise.reject(new Error("full")) : Promise.resolve()),
    heldSize: () => 0,
    minSize: 10,
    initial: { items: 0, size: 0 },
    clock: () => clock.now,
    onError: () => {},
  });
  schedule.grown(9);
  expect(runs).toBe(0);
  schedule.grown(1);
  expect(runs).toBe(1);
  await Promise.resolve();
  clock.now = 4_999;
  schedule.grown(1);
  expect(runs).toBe(1);
  clock.now = 5_000;
  schedule.grown(1);
  expect(runs).toBe(2);
  await schedule.ended();
});

it("the pause grows with each failed checkpoint until one succeeds", async () => {
  const clock = { now: 0 };
  const runs: number[] = [];
  let fails = true;
  const schedule = createCheckpointSchedule({
    run: () => {
      runs.push(clock.now);
      return fails ? Promise.reject(new Error("full")) : Promise.resolve();
    },
    heldSize: () => 0,
    minSize: 1,
    initial: { items: 0, size: 0 },
    clock: () => clock.now,
    onError: () => {},
  });
  const pass = async (seconds: number): Promise<readonly number[]> => {
    const before = runs.length;
    for (let second = 0; second < seconds; second++) {
      clock.now += 1_000;
      schedule.grown(1);
      await Promise.resolve();
      await Promise.resolve();
    }
    return runs.slice(before).map((at) => at / 1_000);
  };
  expect(await pass(1_300)).toEqual([1, 6, 16, 36, 76, 156, 316, 616, 916, 1_216]);
  fails = false;
  expect((await pass(300)).at(0)).toBe(1_516);
  fails = true;
  expect(await pass(16)).toEqual([1_601, 1_606, 1_616]);
  await schedule.ended();
});

it("a checkpoint keeps every character of a key", async () => {
  const driver = createFaultyDriver();
  const store = await open(driver);
  const key = ["p01", "\uFEFFname", "\0", "é\uFEFF"] as const;
  await store.commit("p01", { mutations: [{ type: "set", key, value: "kept" }] });
  await fill(store);
  await store.close();
  expect(itemsOf(driver, "manifest")).toHaveLength(1);
  await using again = await open(driver);
  expect(await again.get(key)).toBe("kept");
});
