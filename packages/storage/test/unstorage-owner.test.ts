import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { createFaultyDriver } from "./support/faulty-driver.ts";
import { openStoreProcess } from "./support/store-process.ts";

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-owner-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

const openHere = (directory: string) =>
  openUnstorageStore({ storage: createStorage({ driver: fsDriver({ base: directory }) }), heartbeatMs: 100 });

const set = (value: string) => ({
  mutations: [{ type: "set" as const, key: ["p00", "by"] as const, value }],
});

it("a storage that this process has open is not opened a second time", async () => {
  const { storage } = createFaultyDriver();
  const store = await openUnstorageStore({ storage });
  await expect(openUnstorageStore({ storage })).rejects.toMatchObject({
    code: "in_use",
    message: expect.stringContaining("this very process"),
  });
  await store.commit("p00", set("the first"));
  await store.close();
  await using again = await openUnstorageStore({ storage });
  expect(await again.get(["p00", "by"])).toBe("the first");
});

it("a storage that another process has open is refused, by the name of that process", async () => {
  const directory = await temporaryDirectory();
  await using other = await openStoreProcess("unstorage", directory);
  await expect(openHere(directory)).rejects.toMatchObject({
    code: "in_use",
    message: expect.stringMatching(/process \d+ on /u),
  });
  expect(await other.commit("p00", set("the owner"))).toEqual({ ok: true });
  await other.close();
  await using store = await openHere(directory);
  expect(await store.get(["p00", "by"])).toBe("the owner");
});

it("of several processes that open a storage at once, at most one gets it", async () => {
  const directory = await temporaryDirectory();
  const opening = await Promise.allSettled(
    Array.from({ length: 3 }, () => openStoreProcess("unstorage", directory)),
  );
  const opened = opening.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  onTestFinished(async () => void (await Promise.all(opened.map((each) => each.kill9()))));
  expect(opened.length).toBeLessThanOrEqual(1);
  for (const each of opening) {
    if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "in_use" });
  }
});

it("the storage of a process that was killed is opened at once, with all that it had acknowledged", async () => {
  const directory = await temporaryDirectory();
  const other = await openStoreProcess("unstorage", directory);
  for (let number = 1; number <= 200; number++) await other.commit("p00", set(String(number)));
  await other.kill9();
  await using store = await openUnstorageStore({
    storage: createStorage({ driver: fsDriver({ base: directory }) }),
    // A wait for the owner's heartbeat would run into the test's time-out.
    heartbeatMs: 60_000,
  });
  expect(await store.get(["p00", "by"])).toBe("200");
  // Checkpoints have kept the log short, and what they left behind is gone.
  expect((await readdir(join(directory, "hookwright", "log"))).length).toBeLessThan(150);
});

it("an owner on another machine is waited for until its heartbeat has stopped", async () => {
  const { storage, data } = createFaultyDriver();
  const store = await openUnstorageStore({ storage });
  await store.commit("p00", set("the first"));
  const owners = [...data].filter(([name]) => name.startsWith("hookwright:owner:"));
  expect(owners).toHaveLength(1);
  await store.close();
  // What the first one left is written by no one any more, and the machine's name in it is damaged beyond reading.
  for (const [name] of owners) data.set(name, "torn");
  await using again = await openUnstorageStore({ storage, heartbeatMs: 20 });
  expect(await again.get(["p00", "by"])).toBe("the first");
  expect([...data.keys()].filter((name) => name.startsWith("hookwright:owner:"))).toHaveLength(1);
});

it("a process that stood still and was taken over acknowledges nothing any more", async () => {
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

it("a process that stood still and was taken over confirms no check either", async () => {
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

it("a driver that keeps nothing, and what is no storage, are refused", async () => {
  const storage = createStorage({ driver: fsDriver({ base: await temporaryDirectory(), readOnly: true }) });
  await expect(openUnstorageStore({ storage })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("read-only"),
  });
  // @ts-expect-error what a caller without types may pass
  await expect(openUnstorageStore({ storage: {} })).rejects.toMatchObject({ code: "invalid_argument" });
});

// unstorage's file drivers do so with whatever is not "no such file".
it("a failure that the driver answers as if it were a value is a failure", async () => {
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
