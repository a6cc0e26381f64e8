import { expect, it } from "vitest";
import { loadLmdb } from "../src/filesystem/load-lmdb.ts";
import { loadPg } from "../src/postgres/connect.ts";
import { loadTestTool } from "../src/contract/load-test-tool.ts";

const failing = (message: string) => (): Promise<never> => Promise.reject(new Error(message));

it("the error for missing lmdb says how to install it", async () => {
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
])("the error for a missing native package mentions bundlers: %s", async (message) => {
  const loading = loadLmdb(failing(message));
  await expect(loading).rejects.toMatchObject({
    code: "missing_dependency",
    message: expect.stringMatching(/native package.*as external/u),
  });
  await expect(loading).rejects.toHaveProperty("cause.message", message);
});

it("loads lmdb if it is installed", async () => {
  expect(await loadLmdb()).toHaveProperty("open");
});

it("the error for missing pg says how to install it", async () => {
  await expect(loadPg(failing("Cannot find package 'pg' imported from /app/a.js"))).rejects.toMatchObject({
    code: "missing_dependency",
    message: expect.stringContaining("npm install pg@8"),
  });
});

it("loads pg if it is installed", async () => {
  expect(await loadPg()).toHaveProperty("Pool");
});

it("the error for a missing test tool says how to install it", async () => {
  const cause = new Error("Cannot find package 'fast-check' imported from /app/a.js");
  await expect(loadTestTool("fast-check@4", () => Promise.reject(cause))).rejects.toMatchObject({
    code: "missing_dependency",
    message: expect.stringContaining("npm install --save-dev fast-check@4"),
    cause,
  });
});

it("loads a test tool if it is installed", async () => {
  expect(await loadTestTool("fast-check@4", () => import("fast-check"))).toHaveProperty("assert");
});
