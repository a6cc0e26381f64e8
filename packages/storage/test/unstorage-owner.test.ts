import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { processNamespace } from "../src/process-identity.ts";
import { createItems } from "../src/unstorage/items.ts";
import { takeOwnership } from "../src/unstorage/ownership.ts";
import { createFaultyDriver } from "./support/faulty-driver.ts";
import { openStoreProcess } from "./support/store-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const openHere = (directory: string, { heartbeatMs = 100 } = {}) =>
  openUnstorageStore({ storage: createStorage({ driver: fsDriver({ base: directory }) }), heartbeatMs });

/** Slow enough that a busy machine does not miss three heartbeats. */
const slowly = { heartbeatMs: 1_000 };

const set = (value: string) => ({
  mutations: [{ type: "set" as const, key: ["p00", "by"] as const, value }],
});

it("a process cannot open a storage twice", async () => {
  const { storage } = createFaultyDriver();
  const store = await openUnstorageStore({ storage });
  await expect(openUnstorageStore({ storage })).rejects.toMatchObject({
    code: "in_use",
    message: expect.stringContaining("this process already has it open"),
  });
  await store.commit("p00", set("the first"));
  await store.close();
  await using again = await openUnstorageStore({ storage });
  expect(await again.get(["p00", "by"])).toBe("the first");
});

it("the error names the process that has the storage open", async () => {
  const directory = await temporaryDirectory();
  await using other = await openStoreProcess("unstorage", directory, slowly);
  await expect(openHere(directory, slowly)).rejects.toMatchObject({
    code: "in_use",
    message: expect.stringMatching(/process \d+ on /u),
  });
  expect(await other.commit("p00", set("the owner"))).toEqual({ ok: true });
  await other.close();
  await using store = await openHere(directory);
  expect(await store.get(["p00", "by"])).toBe("the owner");
});

it("at most one of several concurrent processes can open a storage", async () => {
  const directory = await temporaryDirectory();
  const opening = await Promise.allSettled(
    Array.from({ length: 3 }, () => openStoreProcess("unstorage", directory, slowly)),
  );
  const opened = opening.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  onTestFinished(async () => void (await Promise.all(opened.map((each) => each.kill9()))));
  expect(opened.length).toBeLessThanOrEqual(1);
  for (const each of opening) {
    if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "in_use" });
  }
});

it("the storage of a killed process is opened at once with all acknowledged commits", async () => {
  const directory = await temporaryDirectory();
  const other = await openStoreProcess("unstorage", directory, { heartbeatMs: 60_000 });
  for (let number = 1; number <= 200; number++) await other.commit("p00", set(String(number)));
  await other.kill9();
  await using store = await openUnstorageStore({
    storage: createStorage({ driver: fsDriver({ base: directory }) }),
    // Waiting for the owner's heartbeat would exceed the test's time-out.
    heartbeatMs: 60_000,
  });
  expect(await store.get(["p00", "by"])).toBe("200");
  // Snapshots have kept the log short, and obsolete items are removed.
  expect((await readdir(join(directory, "hookwright", "log"))).length).toBeLessThan(150);
});

it("the storage of a dead process with the id of this one is opened at once", async () => {
  const { storage } = createFaultyDriver();
  const items = createItems({ storage, timeoutMs: 1_000 });
  await items.write("owner:000000000000001aaaaaaaa", `${processNamespace()}\n${process.pid}\n7`);
  // Waiting for its heartbeat would exceed the test's time-out.
  const store = await openUnstorageStore({ storage, heartbeatMs: 60_000 });
  await store.close();
  expect(await items.list()).toEqual([]);
});

it("a process waits until the heartbeat of an owner on another machine has stopped", async () => {
  const { storage, data } = createFaultyDriver();
  const store = await openUnstorageStore({ storage });
  await store.commit("p00", set("the first"));
  const owners = [...data].filter(([name]) => name.startsWith("hookwright:owner:"));
  expect(owners).toHaveLength(1);
  await store.close();
  // The item of the first owner is no longer renewed, and its host name is damaged.
  for (const [name] of owners) data.set(name, "torn");
  await using again = await openUnstorageStore({ storage, heartbeatMs: 20 });
  expect(await again.get(["p00", "by"])).toBe("the first");
  expect([...data.keys()].filter((name) => name.startsWith("hookwright:owner:"))).toHaveLength(1);
});

it("a suspended process that was taken over acknowledges no commit", async () => {
  const directory = await temporaryDirectory();
  await using other = await openStoreProcess("unstorage", directory);
  await other.commit("p00", set("the first"));
  other.signal("SIGSTOP");
  const store = await openHere(directory);
  await store.commit("p00", set("the second"));
  await store.close();
  const late = other.commit("p00", set("too late"));
  other.signal("SIGCONT");
  await expect(late).rejects.toMatchObject({ code: "in_use" });
  await expect(other.get(["p00", "by"])).rejects.toMatchObject({ code: "in_use" });
  await other.close();
  await using again = await openHere(directory);
  expect(await again.get(["p00", "by"])).toBe("the second");
});

it("a suspended process that was taken over confirms no check", async () => {
  const directory = await temporaryDirectory();
  await using other = await openStoreProcess("unstorage", directory);
  await other.commit("p00", set("the first"));
  other.signal("SIGSTOP");
  const store = await openHere(directory);
  await store.commit("p00", set("the second"));
  await store.close();
  const check = { key: ["p00", "by"], value: "the first" } as const;
  const late = other.commit("p00", { checks: [check], mutations: [] });
  other.signal("SIGCONT");
  await expect(late).rejects.toMatchObject({ code: "in_use" });
});

it("an owner that missed three heartbeats gives up if another process is there", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const driver = createFaultyDriver();
  const items = createItems({ storage: driver.storage, timeoutMs: 1_000 });
  const clock = { now: 0 };
  const own = { items, heartbeatMs: 60_000, now: Date.now, clock: () => clock.now, onError: () => {} };
  const ownership = await takeOwnership(own);
  onTestFinished(() => ownership.release());
  /** The number of heartbeats. */
  const confirm = async (): Promise<number> => {
    const { calls } = driver;
    await ownership.confirm();
    return driver.calls - calls;
  };

  clock.now += 179_999;
  expect(await confirm()).toBe(0);
  clock.now += 1;
  expect(await confirm()).toBe(1);
  expect(await confirm()).toBe(0);

  // A waiting process does not take over from an owner with a recent heartbeat.
  await items.write("owner:999999999999999aaaaaaaa", "elsewhere\n1\n0");
  clock.now += 179_999;
  await vi.advanceTimersByTimeAsync(60_000);
  clock.now += 179_999;
  expect(await confirm()).toBe(0);
  clock.now += 1;
  await expect(ownership.confirm()).rejects.toMatchObject({ code: "in_use" });
  expect(() => ownership.assertOwned()).toThrow("has taken over");
});

it("an owner finds at its next heartbeat that a later process has written", async () => {
  const { storage } = createFaultyDriver();
  const store = await openUnstorageStore({ storage, heartbeatMs: 5 });
  await createItems({ storage, timeoutMs: 1_000 }).write("log:999999999999999aaaaaaaa-0000000001", "{}");
  await expect
    .poll(() => store.get(["p00", "by"]).catch((error: unknown) => error))
    .toMatchObject({ code: "in_use" });
  await store.close();
});

it("a process on another machine that renews its heartbeat keeps the storage", async () => {
  const { storage, data } = createFaultyDriver();
  const items = createItems({ storage, timeoutMs: 1_000 });
  const other = "owner:000000000000001aaaaaaaa";
  let beats = 0;
  const timer = setInterval(() => void items.write(other, `elsewhere boot\n17\n${beats++}`), 5);
  onTestFinished(() => clearInterval(timer));
  await expect.poll(() => data.has(`hookwright:${other}`)).toBe(true);
  await expect(openUnstorageStore({ storage, heartbeatMs: 100 })).rejects.toMatchObject({
    code: "in_use",
    message: expect.stringContaining("process 17 on elsewhere"),
  });
  // The process that was refused leaves no item.
  expect(await items.list()).toEqual([other]);
});

it("a driver that stores nothing or other characters or lists too little, and an invalid storage, are rejected", async () => {
  const storage = createStorage({ driver: fsDriver({ base: await temporaryDirectory(), readOnly: true }) });
  await expect(openUnstorageStore({ storage })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("read-only"),
  });
  const { storage: latin } = createFaultyDriver();
  const { setItem } = latin;
  latin.setItem = (name: string, text: string) =>
    setItem(name, Buffer.from(text, "latin1").toString("latin1"));
  await expect(openUnstorageStore({ storage: latin })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("change characters"),
  });
  const { storage: first } = createFaultyDriver();
  const { getKeys } = first;
  first.getKeys = async (base) => (await getKeys(base)).slice(0, 0);
  await expect(openUnstorageStore({ storage: first })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("does not list an item"),
  });
  for (const none of [{}, null, undefined, "storage"]) {
    // @ts-expect-error a caller without types may pass this
    await expect(openUnstorageStore({ storage: none })).rejects.toMatchObject({ code: "invalid_argument" });
  }
});

// unstorage's file drivers do this for all errors except a missing file.
it("an error that the driver returns as a value is an error", async () => {
  const { storage } = createFaultyDriver();
  const store = await openUnstorageStore({ storage });
  await store.commit("p00", set("the first"));
  await store.close();
  const failing: typeof storage = Object.assign(Object.create(storage), {
    getItem: async (name: string) => (name.includes(":log:") ? new Error("EIO") : storage.getItem(name)),
  });
  await expect(openUnstorageStore({ storage: failing })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("EIO"),
  });
});
