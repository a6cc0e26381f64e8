import { execFile } from "node:child_process";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Mutation, Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { sweepWindow } from "../src/commit/sweep-timer.ts";
import { openWriter } from "../src/filesystem/writer.ts";
import { mountSmallFileSystem, whyNoSmallFileSystem } from "./support/small-file-system.ts";

const whyNot = await whyNoSmallFileSystem();
if (whyNot !== undefined) {
  process.stderr.write(
    `The tests of a full disk did not run: they mount a small file system, which takes root on Linux. (${whyNot})\n`,
  );
}

const value = "x".repeat(50_000);
const rowKey = (index: number) => ["p03", "row", index] as const;

function commitRow(store: Store, index: number) {
  return store.commit("p03", {
    mutations: [
      { type: "set", key: rowKey(index), value },
      { type: "set", key: ["p03", "last"], value: String(index) },
    ],
  });
}

/** Commits until one is rejected, and returns its index and error. */
async function fillUp(store: Store): Promise<{ readonly refused: number; readonly error: unknown }> {
  for (let index = 0; index < 1_000; index++) {
    try {
      await commitRow(store, index);
    } catch (error) {
      return { refused: index, error };
    }
  }
  throw new Error("the disk never became full");
}

describe.skipIf(whyNot !== undefined)("a filesystem store on a full disk", () => {
  it("rejects commits, still reads, and recovers when space is free", async () => {
    const directory = await mountSmallFileSystem(6);
    const ballast = join(directory, "ballast");
    await writeFile(ballast, Buffer.alloc(3 * 1024 * 1024));
    const store = await openFilesystemStore({ directory: join(directory, "data") });
    const { refused, error } = await fillUp(store);
    expect(refused).toBeGreaterThan(10);
    expect(error).toMatchObject({
      code: "unavailable",
      isFull: true,
      reason: "disk_full",
      message: expect.stringMatching(/The commit was not stored/u),
    });
    expect(error).toMatchObject({ message: expect.stringMatching(/disk is full/u) });
    for (let again = 0; again < 5; again++)
      await expect(commitRow(store, refused)).rejects.toMatchObject({ code: "unavailable" });

    const expected = { last: String(refused - 1), rows: refused };
    const contentsOf = async (from: Store) => ({
      last: await from.get(["p03", "last"]),
      rows: (await from.list({ prefix: ["p03", "row"], limit: 10_000 })).length,
    });
    expect(await contentsOf(store)).toEqual(expected);
    // A store that is opened now or later finds exactly the acknowledged commits.
    await store.close();
    const full = await openFilesystemStore({ directory: join(directory, "data") });
    expect(await contentsOf(full)).toEqual(expected);
    await rm(ballast);
    for (let index = refused; index < refused + 10; index++) await commitRow(full, index);
    expect(await contentsOf(full)).toEqual({ last: String(refused + 9), rows: refused + 10 });
    await full.close();
  });

  it("stores small commits while it rejects large ones", async () => {
    const directory = await mountSmallFileSystem(6);
    await writeFile(join(directory, "ballast"), Buffer.alloc(4 * 1024 * 1024));
    await using store = await openFilesystemStore({ directory: join(directory, "data") });
    const large = { type: "set", key: ["p03", "large"], value: "x".repeat(8 * 1024 * 1024) } as const;
    for (let round = 0; round < 3; round++) {
      await expect(store.commit("p03", { mutations: [large] })).rejects.toMatchObject({ isFull: true });
      await commitRow(store, round);
    }
    expect(await store.get(["p03", "last"])).toBe("2");
  });

  it("rejects small changes of many pages, which would use up the remaining space", async () => {
    const directory = await mountSmallFileSystem(24);
    await using store = await openFilesystemStore({ directory: join(directory, "data") });
    const rows = (name: string, text: string): Mutation[] =>
      Array.from({ length: 800 }, (_, index) => {
        return { type: "set", key: ["p03", "page", index, name], value: text };
      });
    // Two large rows fill a page, and each has a small row next to it.
    await store.commit("p03", { mutations: [...rows("large", "x".repeat(1_900)), ...rows("small", "x")] });
    const { bavail, bsize } = await statfs(directory);
    await writeFile(join(directory, "ballast"), Buffer.alloc(bavail * bsize - 700 * 1024));
    const many = { mutations: rows("small", "y") };
    await expect(store.commit("p03", many)).rejects.toMatchObject({ isFull: true });
    await commitRow(store, 1);
    expect(await store.get(["p03", "last"])).toBe("1");
  });

  it("still evaluates checks", async () => {
    const directory = await mountSmallFileSystem(6);
    await using store = await openFilesystemStore({ directory });
    await commitRow(store, 1);
    await writeFile(join(directory, "ballast"), Buffer.alloc(8 * 1024 * 1024)).catch(() => {});
    await expect(commitRow(store, 2)).rejects.toMatchObject({ isFull: true });
    const checks = [{ key: ["p03", "last"], value: "1" }] as const;
    expect(await store.commit("p03", { checks, mutations: [] })).toEqual({ ok: true });
  });

  it("does not let LMDB fail, which would corrupt the memory of the process", async () => {
    const directory = await mountSmallFileSystem(6);
    const program = `
      import { rmSync, writeFileSync } from "node:fs";
      const { openFilesystemStore } = await import(${JSON.stringify(new URL("../src/filesystem.ts", import.meta.url))});
      const [, directory] = process.argv;
      const store = await openFilesystemStore({ directory });
      const rows = (type, offset) => Array.from({ length: 400 }, (_, index) => {
        return { type, key: ["p03", (index + offset) % 3_000], value: "x" };
      });
      for (let round = 0; round < 60; round++) {
        try {
          writeFileSync(directory + "/ballast", Buffer.alloc(8 * 1024 * 1024));
        } catch {}
        for (let index = 0; index < 20; index++)
          await store.commit("p03", { mutations: rows("delete", round * 31 + index * 7) }).catch(() => {});
        rmSync(directory + "/ballast");
        await store.commit("p03", { mutations: rows("set", round) });
      }
      await store.close();
    `;
    const { stderr } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "--eval",
      program,
      directory,
    ]);
    expect(stderr).toBe("");
  });

  it("does not repeat a failed sweep at once", async () => {
    const directory = await mountSmallFileSystem(6);
    let time = 1_800_000_000_000;
    const now = () => time;
    await using store = await openFilesystemStore({ directory, now, sweepIntervalMs: 3_600_000 });
    const mutations = Array.from({ length: sweepWindow }, (_, index) => {
      return { type: "set", key: ["p03", "expiring", index], value: "x", expiresAt: time + 1_000 } as const;
    });
    await store.commit("p03", { mutations });
    await writeFile(join(directory, "ballast"), Buffer.alloc(8 * 1024 * 1024)).catch(() => {});
    // Fill the disk to the last page.
    for (let isFull = false, index = 0; !isFull; index++) {
      const row = { type: "set", key: ["p03", index], value: "x".repeat(3_000) } as const;
      isFull = await store.commit("p03", { mutations: [row] }).then(
        () => false,
        () => true,
      );
    }
    time += 10_000;
    const threadUrl = new URL("../src/filesystem/writer-thread.ts", import.meta.url);
    const writer = await openWriter({ threadUrl, directory, now, onNotify: () => {} });
    onTestFinished(() => writer.close());
    // A full window would start the next sweep at once.
    expect(await writer.sweep(sweepWindow)).toBe(0);
  });

  it("a disk without a size is never full", async () => {
    const directory = await mountSmallFileSystem(0);
    let time = 1_800_000_000_000;
    const threadUrl = new URL("../src/filesystem/writer-thread.ts", import.meta.url);
    const writer = await openWriter({ threadUrl, directory, now: () => time, onNotify: () => {} });
    onTestFinished(() => writer.close());
    const row = { type: "set", key: ["p03", "expiring"], value: "x", expiresAt: time + 1_000 } as const;
    await writer.commit("p03", { mutations: [row] });
    time += 10_000;
    expect(await writer.sweep(sweepWindow)).toBe(1);
  });

  it("names the directory if there is no space for a store", async () => {
    const directory = await mountSmallFileSystem(1);
    await writeFile(join(directory, "ballast"), Buffer.alloc(2 * 1024 * 1024)).catch(() => {});
    await expect(openFilesystemStore({ directory: join(directory, "data") })).rejects.toMatchObject({
      code: "directory_unusable",
      message: expect.stringContaining(directory),
    });
  });
});
