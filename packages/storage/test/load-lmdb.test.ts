import { expect, it } from "vitest";
import { loadLmdb } from "../src/filesystem/load-lmdb.ts";

const failing = (message: string) => (): Promise<never> => Promise.reject(new Error(message));

it("says how to install lmdb where it is missing", async () => {
  await expect(loadLmdb(failing("Cannot find package 'lmdb' imported from /app/a.js"))).rejects.toMatchObject(
    {
      code: "missing_dependency",
      message: expect.stringContaining("npm install lmdb@3"),
    },
  );
});

it.each([
  "No native build was found for platform=linux arch=x64. Cannot find module '@/-linux-x64'",
  "Cannot find module '@lmdb/lmdb-linux-x64'",
])("says what a bundler has left behind: %s", async (message) => {
  const loading = loadLmdb(failing(message));
  await expect(loading).rejects.toMatchObject({
    code: "missing_dependency",
    message: expect.stringMatching(/native part.*out of the bundle/u),
  });
  await expect(loading).rejects.toHaveProperty("cause.message", message);
});

it("loads it where it is there", async () => {
  expect(await loadLmdb()).toHaveProperty("open");
});
