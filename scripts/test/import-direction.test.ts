import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkImportDirection } from "../checks/import-direction.mjs";
import { readImports } from "../checks/read-imports.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("a workspace in which", () => {
  it.for<[what: string, file: string, code: string, problem: RegExp]>([
    [
      "a lower package needs a higher one",
      "storage/src/a.ts",
      `import "@hookwright/service";`,
      /imports point downward/,
    ],
    ["the verifier needs a package", "signature/src/a.ts", `import { z } from "zod";`, /depends on nothing/],
    ["the domain needs Node", "domain/src/a.ts", `import { hash } from "node:crypto";`, /runs without Node/],
    ["a built-in module is written short", "api/src/a.ts", `import fs from "fs";`, /write it as "node:fs"/],
    [
      "a package is reached by its path",
      "api/src/a.ts",
      `export * from "../../domain/src/b.ts";`,
      /import another package by its name/,
    ],
    [
      "a file needs its own index",
      "api/src/a.ts",
      `import { a } from "./index.ts";`,
      /not the package's own index/,
    ],
    [
      "a file needs its package by name",
      "api/src/a.ts",
      `import { a } from "@hookwright/api";`,
      /import the file/,
    ],
    [
      "a subpath is not offered",
      "api/src/a.ts",
      `import { a } from "@hookwright/service/secrets";`,
      /offers no ".\/secrets"/,
    ],
    ["an import of its own is not declared", "api/src/a.ts", `import "#own/a";`, /not among the imports/],
    ["a dependency is not declared", "api/src/a.ts", `await import("left-pad");`, /not declared/],
    [
      "a shipped file needs a test's",
      "api/src/a.ts",
      `import "../test/b.ts";`,
      /may not need what is not shipped/,
    ],
  ])("%s is refused", ([, file, code, problem], context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    writeFileSync(path.join(root, "packages", file), code);
    expect(checkImportDirection({ root }).join("\n")).toMatch(problem);
  });

  it("files need each other in a circle is refused", (context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    writeFileSync(path.join(root, "packages/api/src/a.ts"), `import "./b.ts";`);
    writeFileSync(path.join(root, "packages/api/src/b.ts"), `import "./a.ts";`);
    expect(checkImportDirection({ root })).toEqual([
      expect.stringContaining("src/a.ts → src/b.ts → src/a.ts"),
    ]);
  });

  it("everything is in order passes", (context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    writeFileSync(path.join(root, "packages/api/src/a.ts"), `import { b } from "@hookwright/service";`);
    expect(checkImportDirection({ root })).toEqual([]);
  });
});

it("imports are found in every form, with their lines, and types are told apart", () => {
  const code = [
    `import { type A } from "a";`,
    `import type B from "b";`,
    `import {} from "c";`,
    `export { d } from "d";`,
    `export type { E } from "e";`,
    `type F = import("f").F;`,
    `const g = await import("g");`,
    `// import "h";`,
    `const text = 'import "i"';`,
  ].join("\n");
  expect(
    readImports("file.ts", code).map(({ specifier, typeOnly, line }) => [specifier, typeOnly, line]),
  ).toEqual([
    ["a", true, 1],
    ["b", true, 2],
    ["c", false, 3],
    ["d", false, 4],
    ["e", true, 5],
    ["f", true, 6],
    ["g", false, 7],
  ]);
});

/** Packages under the names that the layers know, with nothing in them. */
function makeWorkspace(root: string): void {
  writeFileSync(path.join(root, "pnpm-workspace.yaml"), "packages:\n  - packages/*\n");
  writeFileSync(path.join(root, "package.json"), "{}");
  for (const name of ["signature", "domain", "storage", "service", "api"]) {
    const folder = path.join(root, "packages", name);
    mkdirSync(path.join(folder, "src"), { recursive: true });
    const dependencies = name === "api" ? { "@hookwright/service": "workspace:^" } : {};
    const manifest = { name: `@hookwright/${name}`, exports: { ".": "./dist/index.js" }, dependencies };
    writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  }
}
