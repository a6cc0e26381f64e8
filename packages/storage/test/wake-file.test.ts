import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { expect, it, onTestFinished, vi } from "vitest";
import { openWakeFile } from "../src/filesystem/wake-file.ts";
import { openStoreProcess } from "./support/store-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("a commit wakes whoever watches its partition in another process, and finds it there", async () => {
  const directory = await temporaryDirectory();
  await using other = await openStoreProcess("filesystem", directory);
  await using here = await openFilesystemStore({ directory });
  const found: (string | undefined)[] = [];
  let others = 0;
  here.watch("p05", () => void here.get(["p05", "a"]).then((value) => found.push(value)));
  here.watch("p06", () => (others += 1));
  for (let round = 0; round < 20; round++) {
    const value = String(round);
    const mutations = [{ type: "set", key: ["p05", "a"], value }] as const;
    await other.commit("p05", { mutations, wake: true });
    await expect.poll(() => found.at(-1)).toBe(value);
  }
  expect(others).toBe(0);
});

it("neither a commit without a wake nor one that is refused wakes another process", async () => {
  const directory = await temporaryDirectory();
  await using other = await openStoreProcess("filesystem", directory);
  await using here = await openFilesystemStore({ directory });
  const woken: string[] = [];
  for (const partition of ["p05", "p06", "p07"]) here.watch(partition, () => woken.push(partition));
  await other.commit("p05", { mutations: [{ type: "set", key: ["p05", "a"], value: "" }] });
  await other.commit("p06", { checks: [{ key: ["p06", "a"], value: "" }], mutations: [], wake: true });
  await other.commit("p07", { mutations: [], wake: true });
  await expect.poll(() => woken).toContain("p07");
  expect(new Set(woken)).toEqual(new Set(["p07"]));
});

it("of processes that tell of the same partition at once each wakes all", async () => {
  const directory = await temporaryDirectory();
  await using one = await openStoreProcess("filesystem", directory);
  await using another = await openStoreProcess("filesystem", directory);
  await using here = await openFilesystemStore({ directory });
  let seen: string | undefined;
  here.watch("p05", () => void here.get(["p05", "count"]).then((value) => (seen = value)));
  const commit = { mutations: [{ type: "sum", key: ["p05", "count"], amount: 1 }], wake: true } as const;
  for (let round = 1; round <= 50; round++) {
    await Promise.all([one.commit("p05", commit), here.commit("p05", commit), another.commit("p05", commit)]);
    await expect.poll(() => seen).toBe(String(3 * round));
  }
});

it("where the system tells nobody of a write, it is found within a second", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const directory = await temporaryDirectory();
  const woken: string[] = [];
  const watchFile = (): undefined => undefined;
  const listening = openWakeFile({ directory, onWake: (partition) => woken.push(partition), watchFile });
  const telling = openWakeFile({ directory, onWake: () => {} });
  telling.tell("p03");
  listening.listen();
  // What was told before it listened is looked for otherwise.
  await vi.advanceTimersByTimeAsync(5_000);
  expect(woken).toEqual([]);
  telling.tell("p00");
  telling.tell("p63");
  telling.tell("p00");
  await vi.advanceTimersByTimeAsync(999);
  expect(woken).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(woken).toEqual(["p00", "p63"]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(woken).toHaveLength(2);
  for (const wakes of [listening, telling]) wakes.close();
  telling.tell("p01");
  expect(vi.getTimerCount()).toBe(0);
});

it("a store whose wake file cannot be used is opened all the same, and says what that costs", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "wakes"));
  const warned = once(process, "warning");
  await using store = await openFilesystemStore({ directory });
  const [warning] = await warned;
  expect(warning).toMatchObject({
    code: "HOOKWRIGHT_WAKES_UNUSABLE",
    message: expect.stringContaining(join(directory, "wakes")),
  });
  const woken = new Promise<void>((resolve) => store.watch("p05", () => resolve()));
  await store.commit("p05", { mutations: [], wake: true });
  await expect(woken).resolves.toBeUndefined();
});
