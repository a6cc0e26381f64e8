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

  it.for<[what: string, imports: Readonly<Record<string, readonly string[]>>, problem: string]>([
    [
      "folders need each other, though no files do,",
      {
        "routes/orders.ts": ["../answer/answer.ts", "../answer/page.ts"],
        "answer/cors.ts": ["../routes/methods.ts"],
      },
      "@hookwright/api: these folders need each other: src/answer → src/routes → src/answer " +
        "(src/answer/cors.ts → src/routes/methods.ts; src/routes/orders.ts → src/answer/answer.ts and 1 more)",
    ],
    [
      "a folder and a file directly under src need each other",
      { "options.ts": ["./access/rate-limit.ts"], "access/deep/token.ts": ["../../options.ts"] },
      "@hookwright/api: these folders need each other: src/access → src/options.ts → src/access " +
        "(src/access/deep/token.ts → src/options.ts; src/options.ts → src/access/rate-limit.ts)",
    ],
    [
      "three folders need each other",
      { "a/one.ts": ["../b/two.ts"], "b/three.ts": ["../c/four.ts"], "c/five.ts": ["../a/six.ts"] },
      "@hookwright/api: these folders need each other: src/a → src/b → src/c → src/a " +
        "(src/a/one.ts → src/b/two.ts; src/b/three.ts → src/c/four.ts; src/c/five.ts → src/a/six.ts)",
    ],
  ])("%s is refused, and the imports are named", ([, imports, problem], context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    writeImports(path.join(root, "packages/api/src"), imports);
    expect(checkImportDirection({ root })).toEqual([problem]);
  });

  it("everything is in order passes", (context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    writeFileSync(path.join(root, "packages/api/src/a.ts"), `import { b } from "@hookwright/service";`);
    expect(checkImportDirection({ root })).toEqual([]);
  });

  it("files of a folder need each other one way, and tests need what they like, passes", (context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    const folder = path.join(root, "packages/api");
    writeImports(path.join(folder, "src"), {
      "routes/host/orders.ts": ["../orders.ts", "../../route.ts"],
      "routes/orders.ts": ["./fields/money.ts", "../answer/answer.ts"],
      "answer/answer.ts": ["../route.ts"],
    });
    writeImports(folder, {
      "test/a.ts": ["../src/route.ts", "./support/b.ts"],
      "test/support/c.ts": ["../d.ts"],
    });
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

/** Files with nothing but imports, of types alone. */
function writeImports(folder: string, imports: Readonly<Record<string, readonly string[]>>): void {
  for (const [file, specifiers] of Object.entries(imports)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    const lines = specifiers.map((specifier) => `import type { A } from "${specifier}";`);
    writeFileSync(path.join(folder, file), lines.join("\n"));
  }
}
