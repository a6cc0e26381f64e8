import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyFilesystemStore, openFilesystemStore } from "@hookwright/storage/filesystem";
import { openStoreProcess } from "./support/store-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("a copy that is made during writes is a consistent snapshot", async () => {
  const root = await temporaryDirectory();
  const directory = join(root, "data");
  await using writer = await openStoreProcess("filesystem", directory);
  const filler = Array.from({ length: 2_000 }, (_, index) => ({
    type: "set" as const,
    key: ["p08", "filler", index] as const,
    value: "x".repeat(1_000),
  }));
  await writer.commit("p08", { mutations: filler });

  let stop = false;
  let acknowledged = 0;
  const writing = (async () => {
    for (let number = 1; !stop; number++) {
      const value = String(number);
      await writer.commit("p08", {
        mutations: [
          { type: "set", key: ["p08", "a"], value },
          { type: "set", key: ["p08", "z", number], value },
          { type: "set", key: ["p08", "zz"], value },
        ],
      });
      acknowledged = number;
    }
  })();
  for (let copy = 0; copy < 5; copy++) {
    const to = join(root, `copy${copy}`);
    const before = acknowledged;
    const progress: number[] = [];
    await copyFilesystemStore({ directory, to, onProgress: (bytes) => progress.push(bytes) });
    const after = acknowledged + 1;
    expect(progress.at(-1)).toBeGreaterThan(2_000_000);
    await using store = await openFilesystemStore({ directory: to });
    const last = await store.get(["p08", "zz"]);
    expect(await store.get(["p08", "a"])).toBe(last);
    const rows = await store.list({ prefix: ["p08", "z"], limit: 1_000_000 });
    expect(rows.length).toBe(Number(last ?? 0));
    expect(rows.length).toBeGreaterThanOrEqual(before);
    expect(rows.length).toBeLessThanOrEqual(after);
    expect((await store.list({ prefix: ["p08", "filler"], limit: 10_000 })).length).toBe(2_000);
  }
  stop = true;
  await writing;
});

it("a copy is readable by its owner only and includes extra files", async () => {
  const root = await temporaryDirectory();
  await (await openFilesystemStore({ directory: join(root, "data") })).close();
  const to = join(root, "backups", "first");
  await copyFilesystemStore({
    directory: join(root, "data"),
    to,
    extra: (draft) => writeFile(join(draft, "note"), "taken along"),
  });
  expect((await readdir(to)).toSorted()).toEqual(["note", "store-1.mdb"]);
  expect((await stat(to)).mode & 0o777).toBe(0o700);
  expect((await stat(join(to, "store-1.mdb"))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(root, "backups"))).toEqual(["first"]);
});

it("a copy omits the space of removed entries", async () => {
  const root = await temporaryDirectory();
  const directory = join(root, "data");
  const to = join(root, "to");
  await using store = await openFilesystemStore({ directory });
  const keys = Array.from({ length: 100 }, (_, index) => ["p05", index] as const);
  const value = "x".repeat(20_000);
  await store.commit("p05", { mutations: keys.map((key) => ({ type: "set", key, value })) });
  await store.commit("p05", { mutations: keys.map((key) => ({ type: "delete", key })) });
  await copyFilesystemStore({ directory, to });
  expect((await stat(join(directory, "store-1.mdb"))).size).toBeGreaterThan(2_000_000);
  expect((await stat(join(to, "store-1.mdb"))).size).toBeLessThan(100_000);
});

it("a missing store, an existing target and a failure during the copy are reported by name", async () => {
  const root = await temporaryDirectory();
  const directory = join(root, "data");
  const refused = (path: string, why: string) => ({
    code: "directory_unusable",
    message: expect.stringMatching(new RegExp(`${path}.*${why}`, "u")),
  });
  const empty = join(root, "empty");
  await mkdir(empty);
  await expect(copyFilesystemStore({ directory: empty, to: join(root, "to") })).rejects.toMatchObject(
    refused(empty, "contains no store"),
  );
  expect(await readdir(empty)).toEqual([]);

  await (await openFilesystemStore({ directory })).close();
  const taken = join(root, "taken");
  await mkdir(taken);
  await writeFile(join(taken, "file"), "mine");
  await expect(copyFilesystemStore({ directory, to: taken })).rejects.toMatchObject(
    refused(taken, "a copy overwrites nothing"),
  );
  expect(await readdir(taken)).toEqual(["file"]);

  const to = join(root, "never");
  await expect(
    copyFilesystemStore({ directory, to, extra: () => Promise.reject(new Error("no luck")) }),
  ).rejects.toMatchObject({ message: expect.stringContaining("no luck") });
  expect((await readdir(root)).toSorted()).toEqual(["data", "empty", "taken"]);
});
