import { once } from "node:events";
import { appendFileSync, mkdirSync, readFileSync, renameSync, truncateSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { expect, it, onTestFinished, vi } from "vitest";
import { openNotificationFile } from "../src/filesystem/notification-file.ts";
import { maxLogBytes } from "../src/filesystem/notification-log.ts";
import type { Key } from "../src/port.ts";
import { openStoreProcess } from "./support/store-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const one: Key = ["p05", "fresh", "acc_ü", 1];
const two: Key = ["p06", "fresh", "acc_2"];

/** The notifications of two processes on one directory. They are read when the test says so. */
async function openFiles() {
  const directory = await temporaryDirectory();
  const received: (readonly Key[] | undefined)[] = [];
  let look = (): void => {};
  const listening = openNotificationFile({
    directory,
    sender: "listening",
    onNotify: (keys) => received.push(keys),
    watchFile(_path, onChange) {
      look = onChange;
      return undefined;
    },
  });
  const other = openNotificationFile({ directory, sender: "other", onNotify: () => {} });
  onTestFinished(() => [listening, other].forEach((file) => file.close()));
  listening.listen();
  return { path: join(directory, "notifications"), received, listening, other, look: () => look() };
}

it("a commit notifies watchers of another process, which find it in the store", async () => {
  const directory = await temporaryDirectory();
  await using other = await openStoreProcess("filesystem", directory);
  await using here = await openFilesystemStore({ directory });
  const found: (string | undefined)[] = [];
  here.watch(() => void here.get(["p05", "a"]).then((value) => found.push(value)));
  for (let round = 0; round < 20; round++) {
    const value = String(round);
    const mutations = [{ type: "set", key: ["p05", "a"], value }] as const;
    await other.commit("p05", { mutations, notify: [["p05", "a"]] });
    await expect.poll(() => found.at(-1)).toBe(value);
  }
});

it("a commit without keys and a rejected commit do not notify another process", async () => {
  const directory = await temporaryDirectory();
  await using other = await openStoreProcess("filesystem", directory);
  await using here = await openFilesystemStore({ directory });
  const received: unknown[] = [];
  here.watch((keys) => received.push(keys));
  await other.commit("p05", { mutations: [{ type: "set", key: ["p05", "a"], value: "" }] });
  await other.commit("p06", {
    checks: [{ key: ["p06", "a"], value: "" }],
    mutations: [],
    notify: [["p06", "a"]],
  });
  await other.commit("p07", { mutations: [], notify: [["p07", "a"]] });
  await expect.poll(() => received).toEqual([[["p07", "a"]]]);
});

it("notifications of concurrent processes are all received unbroken", async () => {
  const directory = await temporaryDirectory();
  await using first = await openStoreProcess("filesystem", directory);
  await using second = await openStoreProcess("filesystem", directory);
  await using here = await openFilesystemStore({ directory });
  const received = new Set<string>();
  let withoutKeys = 0;
  here.watch((keys) => {
    if (keys === undefined) withoutKeys += 1;
    for (const key of keys ?? []) received.add(key.join("/"));
  });
  const sent: string[] = [];
  for (let round = 0; round < 40; round++) {
    await Promise.all(
      [first, second, here].map((store, index) => {
        const key: Key = ["p05", "queue", index, round];
        sent.push(key.join("/"));
        return store.commit("p05", { mutations: [], notify: [key] });
      }),
    );
  }
  await expect.poll(() => [...received].toSorted()).toEqual(sent.toSorted());
  expect(withoutKeys).toBe(0);
});

it("the file is read once a second if the system reports no writes", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { received, listening, other } = await openFiles();
  other.notify([one]);
  await vi.advanceTimersByTimeAsync(999);
  expect(received).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(received).toEqual([[one]]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(received).toHaveLength(1);
  for (const file of [listening, other]) file.close();
  other.notify([one]);
  expect(vi.getTimerCount()).toBe(0);
});

it("a process receives neither its own notifications nor earlier ones", async () => {
  const { received, listening, other, look } = await openFiles();
  listening.notify([one]);
  other.notify([two, two]);
  listening.notify([one]);
  look();
  expect(received).toEqual([[two]]);
  look();
  expect(received).toHaveLength(1);
});

it("a reader of a truncated file learns that notifications may be lost", async () => {
  const { path, received, other, look } = await openFiles();
  other.notify([one]);
  truncateSync(path);
  other.notify([two]);
  look();
  expect(received).toEqual([undefined]);
  other.notify([two]);
  look();
  expect(received.slice(1)).toEqual([[two]]);
});

it("after a notification that could not be written, the next one has no keys", async () => {
  const { path, received, other, look } = await openFiles();
  const moved = `${path}-moved`;
  appendFileSync(path, `${"x".repeat(maxLogBytes)}\n`);
  look();
  received.length = 0;
  // The file is too large and cannot be truncated.
  renameSync(path, moved);
  other.notify([one]);
  renameSync(moved, path);
  other.notify([two]);
  expect(readFileSync(path, "utf8").trimEnd()).toMatch(/^[0-9a-f]{16} other$/u);
  look();
  expect(received).toEqual([undefined]);
});

it("a store with an unusable notification file opens with a warning", async () => {
  const directory = await temporaryDirectory();
  mkdirSync(join(directory, "notifications"));
  const warned = once(process, "warning");
  await using store = await openFilesystemStore({ directory });
  const [warning] = await warned;
  expect(warning).toMatchObject({
    code: "HOOKWRIGHT_NOTIFICATIONS_UNUSABLE",
    message: expect.stringContaining(join(directory, "notifications")),
  });
  const notified = new Promise((resolve) => store.watch(resolve));
  await store.commit("p05", { mutations: [], notify: [one] });
  expect(await notified).toEqual([one]);
});
