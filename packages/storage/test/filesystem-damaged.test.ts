import { randomBytes } from "node:crypto";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Key } from "@hookwright/storage";
import { copyFilesystemStore, openFilesystemStore } from "@hookwright/storage/filesystem";
import { openStoreProcess } from "./support/store-process.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "hookwright-damaged-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const key: Key = ["p00", "k"];

/** A directory whose store was used and closed. */
async function usedDirectory(rows: number): Promise<string> {
  const directory = await mkdtemp(join(root, "store-"));
  await using store = await openFilesystemStore({ directory });
  for (let first = 0; first < rows; first += 100) {
    const mutations = Array.from({ length: Math.min(100, rows - first) }, (_, index) => ({
      type: "set" as const,
      key: ["p00", "k", first + index] as const,
      value: "x".repeat(500),
    }));
    await store.commit("p00", { mutations });
  }
  return directory;
}

describe("a directory is rejected with a reason, without a crash, if its data file", () => {
  it.each<[string, RegExp, (file: string) => Promise<void>]>([
    ["is random data", /store-1\.mdb is not an LMDB file/u, (file) => writeFile(file, randomBytes(100_000))],
    ["is a line of text", /is not an LMDB file/u, (file) => writeFile(file, "Not found\n")],
    ["was copied in part", /is truncated: it has 10000 bytes/u, (file) => truncate(file, 10_000)],
    ["has only its first page", /is truncated: it has 4096 bytes/u, (file) => truncate(file, 4_096)],
  ])("%s", async (_, reason, damage) => {
    const directory = await usedDirectory(2_000);
    await damage(join(directory, "store-1.mdb"));
    await expect(openFilesystemStore({ directory })).rejects.toMatchObject({
      code: "directory_unusable",
      message: expect.stringMatching(reason),
    });
  });
});

it("a copy that has only its first page is rejected too", async () => {
  const to = join(root, "copy");
  await copyFilesystemStore({ directory: await usedDirectory(1), to });
  await truncate(join(to, "store-1.mdb"), 4_096);
  // In its own process, which a signal would kill.
  await expect(openStoreProcess("filesystem", to)).rejects.toThrow(/is truncated: it has 4096 bytes/u);
});

it("a damaged gate file is reported as removable", async () => {
  const directory = await usedDirectory(1);
  const gate = join(directory, "gate.mdb");
  await writeFile(gate, "Not found\n");
  await expect(openFilesystemStore({ directory })).rejects.toMatchObject({
    code: "directory_unusable",
    message: expect.stringMatching(/gate\.mdb is not an LMDB file\. Remove it/u),
  });
  await rm(gate);
  await using store = await openFilesystemStore({ directory });
  expect(await store.list({ prefix: key, limit: 10 })).toHaveLength(1);
});

it("data of a newer version is refused by opens and copies, also beside older data", async () => {
  const directory = await usedDirectory(1);
  await writeFile(join(directory, "store-2.mdb"), "");
  const refused = {
    code: "directory_unusable",
    message: expect.stringContaining("contains store-2.mdb, which a newer version has written"),
  };
  await expect(openFilesystemStore({ directory })).rejects.toMatchObject(refused);
  const to = join(root, "never");
  await expect(copyFilesystemStore({ directory, to })).rejects.toMatchObject(refused);
  await rm(join(directory, "store-1.mdb"));
  await expect(openFilesystemStore({ directory })).rejects.toMatchObject(refused);
  await expect(copyFilesystemStore({ directory, to })).rejects.toMatchObject(refused);
});

it.each([0, 1, 100, 2_000])("a store of %i rows is opened again", async (rows) => {
  const directory = await usedDirectory(rows);
  await using store = await openFilesystemStore({ directory });
  expect(await store.list({ prefix: key, limit: 5_000 })).toHaveLength(rows);
});

it("an empty file becomes a store", async () => {
  const directory = await mkdtemp(join(root, "store-"));
  await writeFile(join(directory, "store-1.mdb"), "");
  await using store = await openFilesystemStore({ directory });
  expect(await store.get(key)).toBeUndefined();
});
