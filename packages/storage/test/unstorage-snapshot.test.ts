import { expect, it } from "vitest";
import type { Entry, Mutation, Store } from "@hookwright/storage";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { createFaultyDriver, type FaultyDriver } from "./support/faulty-driver.ts";

const snapshotSize = 32_000;
const rowCount = 3_000;
const everything = { prefix: ["p01"], limit: 100_000 } as const;

const setRow = (index: number, text: string): Mutation => ({
  type: "set",
  key: ["p01", "row", index],
  value: `${text} ${"x".repeat(60)}`,
});

const open = (driver: FaultyDriver, more: { readonly onError?: (error: unknown) => void } = {}) =>
  openUnstorageStore({ storage: driver.storage, snapshotSize, ...more });

const logOf = ({ data }: FaultyDriver): string[] =>
  [...data.keys()].filter((name) => name.startsWith("hookwright:log:")).toSorted();

async function fill(store: Store, text = "first"): Promise<void> {
  for (let start = 0; start < rowCount; start += 100) {
    await store.commit("p01", {
      mutations: Array.from({ length: 100 }, (_, index) => setRow(start + index, text)),
    });
  }
}

/** A closed store with many rows in a snapshot. */
async function filled(): Promise<{ readonly driver: FaultyDriver; readonly contents: readonly Entry[] }> {
  const driver = createFaultyDriver();
  const store = await open(driver);
  await fill(store);
  const contents = await store.list(everything);
  await store.close();
  return { driver, contents };
}

it("the log is at most a few times as long as the data, and nothing is lost", async () => {
  const driver = createFaultyDriver();
  const store = await open(driver);
  const sizes: number[] = [];
  for (let round = 0; round < 10; round++) {
    await fill(store, `round ${round}`);
    sizes.push([...driver.data.values()].join("").length);
  }
  const contents = await store.list(everything);
  await store.close();
  expect(contents).toHaveLength(rowCount);
  const size = JSON.stringify(contents).length;
  expect(Math.max(...sizes)).toBeLessThan(4 * size);
  await using again = await open(driver);
  expect(await again.list(everything)).toEqual(contents);
});

it("commits continue while a snapshot is written, and are not undone by it", async () => {
  const { driver } = await filled();
  const store = await open(driver);
  const before = logOf(driver)[0] ?? "";
  for (let number = 0; logOf(driver)[0] === before; number++) {
    await store.commit("p01", {
      mutations: [
        setRow(number, "again".repeat(500)),
        { type: "delete", key: ["p01", "row", rowCount - 1 - number] },
      ],
    });
  }
  const contents = await store.list(everything);
  await store.close();
  await using again = await open(driver);
  expect(await again.list(everything)).toEqual(contents);
});

it("a snapshot that fails is reported, fails no commit, and is written later", async () => {
  const driver = createFaultyDriver();
  const errors: unknown[] = [];
  const store = await open(driver, { onError: (error) => errors.push(error) });
  await store.commit("p01", { mutations: [setRow(0, "first")] });
  const [first = ""] = logOf(driver);
  // The commits write less than 20,000 characters at a time.
  const { setItem } = driver.storage;
  driver.storage.setItem = (name: string, text: string) =>
    text.includes('"isCopy":true') ? Promise.reject(new Error("full")) : setItem(name, text);
  await fill(store);
  await fill(store);
  expect(errors.length).toBeGreaterThan(1);
  expect(errors[0]).toMatchObject({ code: "unavailable" });
  expect(logOf(driver)).toContain(first);
  driver.storage.setItem = setItem;
  await fill(store, "second");
  await fill(store, "third");
  const contents = await store.list(everything);
  await store.close();
  expect(logOf(driver)).not.toContain(first);
  await using again = await open(driver);
  expect(await again.list(everything)).toEqual(contents);
});

it("a damaged or missing item of a snapshot is reported by name", async () => {
  const { driver, contents } = await filled();
  const names = logOf(driver);
  for (const name of [names[0] ?? "", names[5] ?? ""]) {
    const text = driver.data.get(name) ?? "";
    driver.data.set(name, text.replace("first", "other"));
    const message = expect.stringContaining(name);
    await expect(open(driver)).rejects.toMatchObject({ code: "corrupted", message });
    driver.data.delete(name);
    await expect(open(driver)).rejects.toMatchObject({ code: "corrupted", message });
    driver.data.set(name, text);
  }
  await using store = await open(driver);
  expect(await store.list(everything)).toEqual(contents);
});

it("a damaged item that is alone in the storage is reported, unless it was the first one", async () => {
  const driver = createFaultyDriver();
  const openSmall = () => openUnstorageStore({ storage: driver.storage, snapshotSize: 1 });
  const damage = () => {
    for (const name of logOf(driver)) driver.data.set(name, (driver.data.get(name) ?? "").slice(0, -1));
  };
  driver.outcomeOf = ({ name }) => (name.includes(":log:") ? "torn" : "done");
  const failing = await openSmall();
  await expect(failing.commit("p01", { mutations: [setRow(1, "torn")] })).rejects.toMatchObject({
    code: "unavailable",
  });
  await failing.close();
  driver.outcomeOf = () => "done";
  const store = await openSmall();
  await store.commit("p01", { mutations: [setRow(1, "first")] });
  await expect.poll(() => logOf(driver)).toHaveLength(1);
  await store.close();
  damage();
  await expect(openSmall()).rejects.toMatchObject({ code: "corrupted" });
});

it("expired entries are not copied", async () => {
  const driver = createFaultyDriver();
  const clock = { now: 1_800_000_000_000 };
  const options = { storage: driver.storage, snapshotSize, now: () => clock.now, sweepIntervalMs: 1 };
  const store = await openUnstorageStore(options);
  const value = `gone soon ${"x".repeat(2_000)}`;
  await store.commit("p01", {
    mutations: [{ type: "set", key: ["p01", "soon"], value, expiresAt: clock.now + 1_000 }],
  });
  clock.now += 60_000;
  await expect
    .poll(async () => {
      await store.commit("p01", { mutations: [setRow(1, "stays".repeat(1_000))] });
      return [...driver.data.values()].join("");
    })
    .not.toContain("gone soon");
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
  // All drivers preserve such names.
  for (const name of driver.data.keys()) expect(name).toMatch(/^[0-9a-z:-]+$/u);
  await using again = await open(driver);
  for (const text of texts) expect(await again.get(["p01", text, -1])).toBe(text);
});

it.each([
  ["manifest:000000000001-00000001aaaaaaaaaaaaaaaa", "hookwright 20 0123456789abcdef0123456789abcdef\n{}"],
  ["log:000000000001-00000001aaaaaaaaaaaaaaaa", "hookwright 20 0123456789abcdef0123456789abcdef\n{}"],
  ["log:000000000000001aaaaaaaa-0000000001", `hookwright 3 ${"0".repeat(64)}\n{}`],
])("the layout of another version is refused: %s", async (name, text) => {
  const driver = createFaultyDriver(new Map([[`hookwright:${name}`, text]]));
  await expect(open(driver)).rejects.toMatchObject({
    code: "corrupted",
    message: expect.stringContaining(`hookwright:${name} has the layout of another version`),
  });
});
