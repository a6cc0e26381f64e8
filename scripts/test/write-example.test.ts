import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { writeExample } from "./support/write-example.ts";

const page = "packages/api/README.md:1";

// Other test files write examples of the same package in parallel processes. These tests simulate them.
it("an example can be removed after another process has removed the folder", (context) => {
  const { file, remove } = writeExample(page, "1;", { root: temporaryFolder(context) });
  rmSync(path.dirname(file), { recursive: true });
  expect(remove).not.toThrow();
});

it("the folder is removed with its last example", (context) => {
  const root = temporaryFolder(context);
  const { file, remove } = writeExample(page, "1;", { root });
  const others = path.join(path.dirname(file), "0-0.ts");
  writeFileSync(others, "2;");
  remove();
  expect([existsSync(file), existsSync(others)]).toEqual([false, true]);
  rmSync(others);
  writeExample(page, "3;", { root }).remove();
  expect(existsSync(path.dirname(file))).toBe(false);
});
