import { expect, it } from "vitest";
import { loadTestTool } from "../src/contract/load-test-tool.ts";

it("says how to install what the contract is run with, where it is missing", async () => {
  const cause = new Error("Cannot find package 'fast-check' imported from /app/a.js");
  await expect(loadTestTool("fast-check@4", () => Promise.reject(cause))).rejects.toMatchObject({
    code: "missing_dependency",
    message: expect.stringContaining("npm install --save-dev fast-check@4"),
    cause,
  });
});

it("loads it where it is there", async () => {
  expect(await loadTestTool("fast-check@4", () => import("fast-check"))).toHaveProperty("assert");
});
