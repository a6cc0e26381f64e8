import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openFilesystemStore } from "@hookwright/storage/filesystem";

it("a directory is created with its parents, with access for its owner only", async () => {
  const root = await mkdtemp(join(tmpdir(), "hookwright-directory-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const directory = join(root, "one", "two");
  const store = await openFilesystemStore({ directory });
  await store.close();
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

it("files in a directory that others may read are accessible to their owner only", async () => {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-directory-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await chmod(directory, 0o755);
  await using store = await openFilesystemStore({ directory });
  await store.commit("p05", { mutations: [{ type: "set", key: ["p05", "a"], value: "" }] });
  const names = await readdir(directory);
  const modes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name))).mode & 0o777),
  );
  expect(names).toContain("store-1.mdb");
  expect(modes).toEqual(names.map(() => 0o600));
});

// Node's recursive mkdir never returns for this path.
it.runIf(existsSync("/proc/self"))("the error names a directory that cannot be created", async () => {
  await expect(openFilesystemStore({ directory: "/proc/hookwright/data" })).rejects.toMatchObject({
    code: "directory_unusable",
    message: expect.stringMatching(
      /^The directory \/proc\/hookwright\/data cannot be used: use a directory on a local disk .+ \(ENOENT: .+\)$/u,
    ),
  });
});
