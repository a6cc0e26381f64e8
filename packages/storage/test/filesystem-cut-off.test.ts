import { copyFile, mkdtemp, open, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openStoreProcess } from "./support/store-process.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "hookwright-cut-off-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const pageSize = 4_096;
const dataFile = "store-1.mdb";
const everything = { prefix: ["p00"], limit: 10_000 } as const;

function setRows(name: string, count: number, size: number) {
  return Array.from({ length: count }, (_, index) => ({
    type: "set" as const,
    key: ["p00", name, index] as const,
    value: "x".repeat(size),
  }));
}

function deleteRows(name: string, count: number) {
  return setRows(name, count, 0).map(({ key }) => ({ type: "delete" as const, key }));
}

/**
 * A directory with rows on tree pages and overflow pages, and the number of rows. The root page is moved to
 * the front, so that its position reveals nothing.
 */
async function usedDirectory(): Promise<{ directory: string; rows: number }> {
  const directory = await mkdtemp(join(root, "store-"));
  await using store = await openFilesystemStore({ directory });
  for (const size of [500, 400, 300]) await store.commit("p00", { mutations: setRows("small", 60, size) });
  await store.commit("p00", { mutations: setRows("large", 4, 9_000) });
  await store.commit("p00", { mutations: setRows("small", 5, 300) });
  return { directory, rows: 64 };
}

/**
 * A directory whose last pages were allocated and freed by the same commit: they are counted, but were never
 * written.
 */
async function shortDirectory(): Promise<string> {
  const directory = await mkdtemp(join(root, "short-"));
  await using store = await openFilesystemStore({ directory });
  // Repeated writes, so that the file contains free pages for LMDB's own records.
  for (const size of [500, 400, 300]) await store.commit("p00", { mutations: setRows("small", 60, size) });
  await store.commit("p00", { mutations: [...setRows("gone", 30, 9_000), ...deleteRows("gone", 30)] });
  return directory;
}

async function sizeOf(directory: string): Promise<number> {
  return (await stat(join(directory, dataFile))).size;
}

async function cut(directory: string, size: number): Promise<string> {
  const copy = await mkdtemp(join(root, "cut-"));
  await copyFile(join(directory, dataFile), join(copy, dataFile));
  await truncate(join(copy, dataFile), size);
  return copy;
}

/** Whether a store can be opened. If not, the error says what to do. */
async function opens(directory: string): Promise<boolean> {
  try {
    await (await openFilesystemStore({ directory })).close();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "directory_unusable" });
    expect(String(error)).toMatch(
      /store-1\.mdb is truncated: it has \d+ bytes.*Replace its directory with a backup/u,
    );
    return false;
  }
}

/**
 * Returns the number of rows of a store, or `undefined` if it cannot be opened. Reads in its own process,
 * which a signal would kill.
 */
async function countRows(directory: string): Promise<number | undefined> {
  if (!(await opens(directory))) return undefined;
  await using store = await openStoreProcess("filesystem", directory);
  const rows = await store.list(everything);
  return Array.isArray(rows) ? rows.length : NaN;
}

describe("a truncated file", { timeout: 60_000 }, () => {
  it("is rejected if any page in use is missing", { tags: ["long"] }, async () => {
    const { directory, rows } = await usedDirectory();
    const size = await sizeOf(directory);
    expect(await countRows(await cut(directory, size))).toBe(rows);
    const pages = size / pageSize;
    let rejected = 0;
    while (rejected < pages && !(await opens(await cut(directory, (rejected + 1) * pageSize)))) rejected++;
    expect(rejected).toBeGreaterThan(15);
    // If only free pages are missing, the file is accepted. Longer files have the same pages and more.
    expect(await countRows(await cut(directory, (rejected + 1) * pageSize))).toBe(rows);
  });

  it.each([
    ["a page", pageSize],
    ["a byte", 1],
  ])("is rejected if %s is missing", async (_, missing) => {
    const directory = await mkdtemp(join(root, "store-"));
    await using store = await openFilesystemStore({ directory });
    await store.commit("p00", { mutations: setRows("large", 4, 9_000) });
    await store.close();
    const damaged = await cut(directory, (await sizeOf(directory)) - missing);
    await expect(openFilesystemStore({ directory: damaged })).rejects.toMatchObject({
      code: "directory_unusable",
      message: expect.stringMatching(/is truncated/u),
    });
  });

  it.each([0xff, 0x7f, 0x11, 0x02])(
    "is rejected with the same error if the rest is overwritten with bytes of %i",
    { tags: ["long"] },
    async (filler) => {
      const { directory } = await usedDirectory();
      const size = await sizeOf(directory);
      const damaged = await cut(directory, size - pageSize);
      const file = await open(join(damaged, dataFile), "r+");
      // Everything except page numbers and page types.
      for (let page = 2; page < size / pageSize - 1; page++)
        await file.write(Buffer.alloc(pageSize - 20, filler), 0, pageSize - 20, page * pageSize + 20);
      await file.close();
      await expect(openFilesystemStore({ directory: damaged })).rejects.toMatchObject({
        code: "directory_unusable",
        message: expect.stringMatching(/is truncated/u),
      });
    },
  );

  it("is accepted if only empty pages are missing", async () => {
    const directory = await shortDirectory();
    const size = await sizeOf(directory);
    expect((await lastPageOf(directory)) * pageSize).toBeGreaterThan(size + 100_000);
    expect(await countRows(directory)).toBe(60);
    expect(await countRows(await cut(directory, size / 2))).toBeUndefined();
  });

  it("is accepted if LMDB itself has lost a page", async () => {
    const directory = await shortDirectory();
    const last = await lastPageOf(directory, 1);
    expect(await lastPageOf(directory)).toBe(last + 1);
    expect(await countRows(directory)).toBe(60);
    expect(await countRows(await cut(directory, (await sizeOf(directory)) / 2))).toBeUndefined();
  });
});

/** Returns the last page number of a file, from the newer of its two meta pages. Optionally increases it. */
async function lastPageOf(directory: string, raise = 0): Promise<number> {
  const file = await open(join(directory, dataFile), "r+");
  try {
    const { buffer } = await file.read(Buffer.alloc(2 * pageSize), 0, 2 * pageSize, 0);
    const positions = [24, pageSize + 24];
    const [newest = 0] = positions.toSorted((one, other) =>
      buffer.readBigUInt64LE(one + 128) > buffer.readBigUInt64LE(other + 128) ? -1 : 1,
    );
    const last = Number(buffer.readBigUInt64LE(newest + 120));
    buffer.writeBigUInt64LE(BigInt(last + raise), newest + 120);
    await file.write(buffer, 0, buffer.length, 0);
    return last;
  } finally {
    await file.close();
  }
}

it(
  "a store can be opened repeatedly while another process writes and deletes",
  { timeout: 60_000, tags: ["long"] },
  async () => {
    const directory = await mkdtemp(join(root, "busy-"));
    await using writer = await openStoreProcess("filesystem", directory);
    await writer.commit("p00", { mutations: setRows("kept", 100, 500) });
    let stop = false;
    const writing = (async () => {
      for (let round = 0; !stop; round++) {
        const rows = setRows(`round${round % 5}`, 40, round % 3 === 0 ? 9_000 : 700);
        await writer.commit("p00", { mutations: rows });
        // More each time, so that the file counts pages that were never written.
        const gone = 40 + Math.min(round, 100);
        await writer.commit("p00", {
          mutations: [...setRows("gone", gone, 9_000), ...deleteRows("gone", gone)],
        });
        await writer.commit("p00", { mutations: rows.map(({ key }) => ({ type: "delete", key })) });
      }
    })();
    try {
      for (let time = 0; time < 10; time++) {
        await using store = await openFilesystemStore({ directory });
        expect(await store.list({ ...everything, prefix: ["p00", "kept"] })).toHaveLength(100);
      }
    } finally {
      stop = true;
      await writing;
    }
  },
);
