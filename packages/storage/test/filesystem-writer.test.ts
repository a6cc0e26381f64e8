import { existsSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { partitions, type Key, type Mutation } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { sweepWindow } from "../src/commit/sweep-timer.ts";
import { openDatabase } from "../src/filesystem/database.ts";
import { loadLmdb } from "../src/filesystem/load-lmdb.ts";
import { openWriter, type Writer } from "../src/filesystem/writer.ts";
import { encodeKey } from "../src/keys/key-codec.ts";
import { openStoreProcess } from "./support/store-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const start = 1_800_000_000_000;

async function openWriterOf(
  directory: string,
  now: () => number,
  threadUrl = new URL("../src/filesystem/writer-thread.ts", import.meta.url),
): Promise<Writer> {
  const writer = await openWriter({ threadUrl, directory, now, onNotify: () => {} });
  onTestFinished(() => writer.close());
  return writer;
}

/** The data file on the disk, including entries that stores do not show. */
async function openFile(directory: string) {
  const lmdb = await loadLmdb();
  const codec = { encoding: "binary", keyEncoding: "binary" } as const;
  const { data, close } = openDatabase<Uint8Array, Uint8Array>({ lmdb, directory, codec });
  onTestFinished(close);
  return {
    /** All keys, including the expiry index. */
    keys(): string[] {
      data.resetReadTxn();
      return Array.from(data.getKeys(), (key) => Buffer.from(key).toString("latin1"));
    },
    /** The processes that keep an old snapshot. */
    readers: () => data.readerList(),
  };
}

it("a sweep removes only expired entries from the disk, in windows, in order of expiry", async () => {
  const directory = await temporaryDirectory();
  const clock = { now: start };
  const file = await openFile(directory);
  const writer = await openWriterOf(directory, () => clock.now);
  const key = (name: string): Key => ["p05", name];
  const commit = (...mutations: Mutation[]) => writer.commit("p05", { mutations });
  const set = (name: string, expiresAt?: number): Mutation => {
    return { type: "set", key: key(name), value: "1", expiresAt };
  };
  const rows = () => file.keys().filter((name) => name.startsWith("p"));
  const encoded = (...names: string[]) => names.map((name) => encodeKey(key(name)));
  // At a change of the index's high word, which is a multiple of the rounding step.
  const due = 420 * 2 ** 32;
  const longest = "x".repeat(1_895);

  await commit(set("d", due), set("c", due), set("b", 2_000), set("a", -5), set(longest, 10));
  await commit(set("stays"), set("set again", due), set("set to last", due), set("deleted", due));
  await commit({ type: "sum", key: key("counter"), amount: 1, expiresAt: due });
  clock.now = due - 10_000;
  await commit(set("set again"), set("set to last", 2 * due), { type: "delete", key: key("deleted") });
  await commit({ type: "sum", key: key("counter"), amount: 1, expiresAt: 2 * due });

  expect(await writer.sweep(2)).toBe(2);
  expect(rows()).toEqual(encoded("b", "c", "counter", "d", "set again", "set to last", "stays").toSorted());
  expect(await writer.sweep(sweepWindow)).toBe(1);
  clock.now = due - 1;
  expect(await writer.sweep(sweepWindow)).toBe(0);
  expect(rows()).toEqual(encoded("c", "counter", "d", "set again", "set to last", "stays"));
  clock.now = due;
  expect(await writer.sweep(sweepWindow)).toBe(6);
  expect(rows()).toEqual(encoded("counter", "set again", "set to last", "stays"));
  clock.now = 4 * due;
  expect(await writer.sweep(sweepWindow)).toBe(2);
  expect(file.keys()).toEqual(encoded("set again", "stays"));
});

it("a store removes expired entries at its interval, one window after the other", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const directory = await temporaryDirectory();
  const file = await openFile(directory);
  const clock = { now: start };
  await using store = await openFilesystemStore({
    directory,
    now: () => clock.now,
    sweepIntervalMs: 3_600_000,
  });
  for (const partition of partitions) {
    const mutations = Array.from({ length: 30 }, (_, index): Mutation => {
      return { type: "set", key: [partition, index], value: "", expiresAt: start + 1 };
    });
    await store.commit(partition, { mutations });
  }
  clock.now += 10_000;
  await vi.advanceTimersByTimeAsync(3_599_999);
  expect(file.keys()).toHaveLength(64 * 30 * 2);
  await vi.advanceTimersByTimeAsync(1);
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(1);
      return file.keys();
    })
    .toEqual([]);
});

it("commits that wait for a busy thread are sent when it replies", async () => {
  const directory = await temporaryDirectory();
  const writer = await openWriterOf(directory, () => start);
  const commits: Promise<unknown>[] = [];
  for (const length of [16 * 1024 * 1024, 1, 1, 1]) {
    const value = "x".repeat(length);
    commits.push(writer.commit("p05", { mutations: [{ type: "set", key: ["p05", "a"], value }] }));
    await new Promise(setImmediate);
  }
  expect(await Promise.all(commits)).toEqual(commits.map(() => ({ ok: true })));
});

it("a busy thread later executes the commits, the sweep and the close that it received", async () => {
  const clock = { now: start };
  const directory = await temporaryDirectory();
  const writer = await openWriterOf(directory, () => clock.now);
  const commit = (mutation: Mutation) => writer.commit("p05", { mutations: [mutation] });
  await commit({ type: "set", key: ["p05", "expiring"], value: "", expiresAt: start + 1 });
  clock.now += 10_000;
  const busy = commit({ type: "set", key: ["p05", "large"], value: "x".repeat(16 * 1024 * 1024) });
  await new Promise(setImmediate);
  const small = commit({ type: "set", key: ["p05", "small"], value: "" });
  await new Promise(setImmediate);
  const swept = writer.sweep(sweepWindow);
  const closed = writer.close();
  expect(await Promise.all([busy, small, swept, closed])).toEqual([{ ok: true }, { ok: true }, 1, undefined]);
});

it("a sweep releases the snapshot of a killed process", async () => {
  const directory = await temporaryDirectory();
  const file = await openFile(directory);
  const writer = await openWriterOf(directory, () => start);
  const killed = await openStoreProcess("filesystem", directory);
  await killed.get(["p05", "a"]);
  await killed.kill9();
  expect(file.readers()).toContain(String(killed.pid));
  await writer.sweep(sweepWindow);
  expect(file.readers()).not.toContain(String(killed.pid));
});

it.runIf(existsSync("/proc/self/fd"))("a closed store has no open file", async () => {
  const directory = await temporaryDirectory();
  const opened = async (): Promise<string[]> => {
    const links = (await readdir("/proc/self/fd")).map((name) => readlink(`/proc/self/fd/${name}`));
    const files = await Promise.allSettled(links);
    return files
      .flatMap((file) => (file.status === "fulfilled" ? [file.value] : []))
      .filter((path) => path.startsWith(directory));
  };
  const store = await openFilesystemStore({ directory });
  await store.commit("p05", { mutations: [{ type: "set", key: ["p05", "a"], value: "" }] });
  expect(await opened()).not.toEqual([]);
  await store.close();
  expect(await opened()).toEqual([]);
});

it("if the thread dies, running and later commits are rejected", async () => {
  const thread = `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ type }) => { if (type === "sweep") throw new Error("out of memory"); });
    parentPort.postMessage({ type: "open" });
  `;
  const threadUrl = new URL(`data:text/javascript,${encodeURIComponent(thread)}`);
  const writer = await openWriterOf(await temporaryDirectory(), () => start, threadUrl);
  const commit = () => writer.commit("p05", { mutations: [{ type: "delete", key: ["p05", "a"] }] });
  const gone = {
    code: "unavailable",
    message: expect.stringContaining("The outcome of unconfirmed commits is unknown"),
    cause: expect.objectContaining({ message: "out of memory" }),
  };
  const commits: Promise<unknown>[] = [];
  // Two groups are sent. Later commits are only collected.
  for (let turn = 0; turn < 3; turn++) {
    commits.push(commit().catch((error: unknown) => error));
    await new Promise(setImmediate);
  }
  expect(await writer.sweep(1)).toBe(0);
  for (const outcome of await Promise.all(commits)) expect(outcome).toMatchObject(gone);
  await expect(commit()).rejects.toMatchObject(gone);
  expect(await writer.sweep(1)).toBe(0);
  await writer.close();
});
