import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openStoreProcess, type StoreProcess } from "./support/store-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const mayUnshare = spawnSync("unshare", ["--pid", "--fork", "true"]).status === 0;
if (!mayUnshare) process.stderr.write("The test of two containers did not run: it takes root on Linux.\n");

async function openProcesses(directory: string, count: number): Promise<StoreProcess[]> {
  const processes = await Promise.all(
    Array.from({ length: count }, () => openStoreProcess("filesystem", directory)),
  );
  onTestFinished(async () => void (await Promise.all(processes.map((each) => each.kill9()))));
  return processes;
}

const counter = ["p05", "counter"] as const;

it("a commit of one process is visible at once to all processes on the directory", async () => {
  const directory = await temporaryDirectory();
  const processes = await openProcesses(directory, 2);
  await using here = await openFilesystemStore({ directory });
  const stores = [...processes, here];
  for (let round = 0; round < 60; round++) {
    const key = ["p05", "round", round] as const;
    await stores[round % 3]?.commit("p05", { mutations: [{ type: "set", key, value: String(round) }] });
    for (const store of stores) {
      expect(await store.get(key)).toBe(String(round));
      expect(await store.list({ prefix: ["p05", "round"], limit: 1, reverse: true })).toEqual([
        { key, value: String(round) },
      ]);
    }
  }
});

it("only one of concurrent commits of several processes with the same check succeeds", async () => {
  const directory = await temporaryDirectory();
  const processes = await openProcesses(directory, 3);
  await using here = await openFilesystemStore({ directory });
  for (let round = 0; round < 30; round++) {
    const key = ["p05", "once", round] as const;
    const results = await Promise.all(
      [...processes, here].map((store, index) =>
        store.commit("p05", {
          checks: [{ key, value: undefined }],
          mutations: [{ type: "set", key, value: String(index) }],
        }),
      ),
    );
    const winners = results.flatMap((result, index) => (isOk(result) ? [String(index)] : []));
    expect(winners).toHaveLength(1);
    expect(await here.get(key)).toBe(winners[0]);
  }
});

it("checked increments of several processes lose nothing if one of them is killed", async () => {
  const directory = await temporaryDirectory();
  const [victim, ...others] = await openProcesses(directory, 4);
  await using here = await openFilesystemStore({ directory });
  const dying = victim?.increment(counter, 1_000_000).catch(() => "killed");
  const counting = others.map((each) => each.increment(counter, 50));
  await Promise.race(counting);
  await victim?.kill9();
  expect(await dying).toBe("killed");
  await Promise.all(counting);
  const before = Number(await here.get(counter));
  expect(before).toBeGreaterThanOrEqual(150);
  await Promise.all(others.map((each) => each.increment(counter, 20)));
  expect(Number(await here.get(counter))).toBe(before + 60);
});

function isOk(result: unknown): boolean {
  return typeof result === "object" && result !== null && "ok" in result && result.ok === true;
}

it("a commit notifies watchers of other stores of its process", async () => {
  const directory = await temporaryDirectory();
  await using watching = await openFilesystemStore({ directory });
  await using store = await openFilesystemStore({ directory });
  const notified = new Promise((resolve) => watching.watch(resolve));
  await store.commit("p05", { mutations: [], notify: [["p05", "a"]] });
  expect(await notified).toEqual([["p05", "a"]]);
});

it("a closed store calls no listeners while others have its directory open", async () => {
  const directory = await temporaryDirectory();
  const closed = await openFilesystemStore({ directory });
  await using store = await openFilesystemStore({ directory });
  let calls = 0;
  const unwatch = closed.watch(() => (calls += 1));
  await closed.close();
  const notified = new Promise((resolve) => store.watch(resolve));
  await store.commit("p05", { mutations: [], notify: [["p05", "a"]] });
  await notified;
  expect(calls).toBe(0);
  unwatch();
});

it("a commit waits while another process opens the directory", async () => {
  const directory = await temporaryDirectory();
  const elsewhere = await temporaryDirectory();
  await using store = await openFilesystemStore({ directory });
  await using other = await openFilesystemStore({ directory: elsewhere });
  // The child stops during opening and holds the gate.
  const program = `
    const { open } = await import("lmdb");
    const { readSync, writeSync } = await import("node:fs");
    const gate = open({ path: process.argv[1] + "/gate.mdb", noSubdir: true, mapSize: 2 ** 20, overlappingSync: false });
    gate.transactionSync(() => {
      writeSync(1, "held");
      readSync(0, Buffer.alloc(1));
    });
  `;
  const opening = spawn(process.execPath, ["--input-type=module", "--eval", program, directory], {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void opening.kill("SIGKILL"));
  await once(opening.stdout, "data");

  const commit = { mutations: [{ type: "set", key: ["p05", "a"], value: "" }] } as const;
  let done = false;
  const waiting = store.commit("p05", commit).finally(() => (done = true));
  // A later read is not blocked and finishes first.
  for (let round = 0; round < 50; round++) await other.commit("p05", commit);
  expect(done).toBe(false);
  opening.stdin.write("x");
  expect(await waiting).toEqual({ ok: true });
});

it.runIf(mayUnshare)(
  "a process with the same number in another container is refused with a reason",
  async () => {
    const directory = await temporaryDirectory();
    const launcher = ["unshare", "--pid", "--fork", "--kill-child"];
    await using first = await openStoreProcess("filesystem", directory, { launcher });
    const threadUrl = new URL("support/impatient-writer-thread.ts", import.meta.url);
    const program = `
    const { openWriter } = await import(${JSON.stringify(new URL("../src/filesystem/writer.ts", import.meta.url))});
    const { copyFilesystemStore } = await import(${JSON.stringify(new URL("../src/filesystem.ts", import.meta.url))});
    const threadUrl = new URL(${JSON.stringify(threadUrl)});
    const [directory] = process.argv.slice(1);
    const print = ({ code, message }) => console.log(process.pid, code, message);
    await copyFilesystemStore({ directory, to: directory + "/copy" }).catch(print);
    await openWriter({ threadUrl, directory, now: undefined, onNotify() {} }).catch(print);
  `;
    const [command = "", ...args] = [...launcher, process.execPath, "--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(command, [...args, directory]);
    const sentence =
      "1 in_use The directory .+ is in use by another container, whose process has the number 1 .+";
    expect(stdout).toMatch(new RegExp(`^${sentence}\n${sentence}\n$`, "u"));
    expect(await first.commit("p05", { mutations: [] })).toEqual({ ok: true });
  },
);

it("a process that only has to close its store ends when it is closed", async () => {
  const directory = await temporaryDirectory();
  const program = `
    const { openFilesystemStore } = await import(${JSON.stringify(new URL("../src/filesystem.ts", import.meta.url))});
    const store = await openFilesystemStore({ directory: process.argv[1] });
    const value = "x".repeat(1_000_000);
    for (let index = 0; index < 20; index++)
      void store.commit("p05", { mutations: [{ type: "set", key: ["p05", index], value }] });
    await store.close();
    console.log("closed");
  `;
  for (let round = 0; round < 5; round++) {
    const inRound = join(directory, String(round));
    const arguments_ = ["--input-type=module", "--eval", program, inRound];
    expect((await promisify(execFile)(process.execPath, arguments_)).stdout).toBe("closed\n");
    await using store = await openFilesystemStore({ directory: inRound });
    expect(await store.list({ prefix: ["p05"], limit: 100 })).toHaveLength(20);
  }
});

it("a running commit keeps its process alive, an idle store does not", async () => {
  const program = `
    const { openFilesystemStore } = await import(${JSON.stringify(new URL("../src/filesystem.ts", import.meta.url))});
    const store = await openFilesystemStore({ directory: process.argv[1] });
    await store.commit("p05", { mutations: [{ type: "set", key: ["p05", "a"], value: "x".repeat(10_000_000) }] });
    console.log("committed");
  `;
  const arguments_ = ["--input-type=module", "--eval", program, await temporaryDirectory()];
  expect((await promisify(execFile)(process.execPath, arguments_, { timeout: 15_000 })).stdout).toBe(
    "committed\n",
  );
});
