import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readWorkspace } from "../bootstrap/workspace.mjs";
import { findImportProblems } from "./support/find-import-problems.ts";

/** The text of each file of a folder, by its path below the folder of the package, which must be `src`. */
const readSources = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    globSync("**/*.{ts,tsx}", { cwd: folder })
      .map((file) => file.replaceAll(path.sep, "/"))
      .map((file) => [`src/${file}`, readFileSync(path.join(folder, file), "utf8")]),
  );

const workspace = readWorkspace()
  // These are not shipped.
  .filter(({ name }) => !["hookwright-docs", "hookwright-bench"].includes(name))
  .flatMap(({ name, folder, manifest }) => [
    { name, manifest, sources: readSources(path.join(folder, "src")) },
    // The pages of the console are a program of their own beside the server's code.
    ...(name === "@hookwright/console"
      ? [{ name: `${name}/site`, manifest, sources: readSources(path.join(folder, "site/console")) }]
      : []),
  ]);

it("imports point downward, name what a package offers, and form no cycles", () => {
  expect(workspace.length).toBeGreaterThan(10);
  expect(findImportProblems(workspace)).toEqual([]);
});

it("the verifier depends on nothing, and the domain only on zod and ipaddr.js", () => {
  const dependenciesOf = (name: string) =>
    Object.keys(workspace.find((each) => each.name === name)?.manifest.dependencies ?? {}).toSorted();
  expect(dependenciesOf("@hookwright/signature")).toEqual([]);
  expect(dependenciesOf("@hookwright/domain")).toEqual(["ipaddr.js", "zod"]);
});

it("only the composition and the server know OpenTelemetry", () => {
  const importing = workspace.filter(({ sources }) =>
    [...sources.values()].some((text) => text.includes('"@opentelemetry/')),
  );
  expect(importing.map(({ name }) => name).toSorted()).toEqual([
    "@hookwright/reference-server",
    "hookwright",
  ]);
});

describe("a problem is found if", () => {
  it.for<[what: string, name: string, sources: Readonly<Record<string, string>>, problem: RegExp]>([
    [
      "a lower package imports a higher one",
      "storage",
      { "a.ts": 'import "@hookwright/service";' },
      /downward/u,
    ],
    [
      "the client imports values",
      "client",
      { "a.ts": 'import {\n  a,\n} from "@hookwright/domain";' },
      /types/u,
    ],
    [
      "a file leaves its package",
      "api",
      { "a/b.ts": 'export * from "../../../domain/src/b.ts";' },
      /leaves src/u,
    ],
    ["a file imports a test", "api", { "a.ts": 'const a = await import("../test/b.ts");' }, /leaves src/u],
    ["a file imports its index", "api", { "a.ts": 'import { a } from "./index.ts";' }, /not the index/u],
    [
      "a file imports its package",
      "api",
      { "a.ts": 'import { a } from "@hookwright/api";' },
      /not the package/u,
    ],
    [
      "a package has no such entry",
      "api",
      { "a.ts": 'export { a } from "@hookwright/domain/b";' },
      /no such entry/u,
    ],
    [
      "files form a cycle",
      "api",
      { "a.ts": 'import "./b.ts";', "b.ts": 'import type { A } from "./a.ts";' },
      /cycle src\/a\.ts → src\/b\.ts → src\/a\.ts/u,
    ],
    [
      "folders form a cycle, though no files do",
      "api",
      { "a/one.ts": 'import "../b/two.ts";', "b/three.ts": 'import "../a/four.ts";' },
      /cycle src\/a → src\/b → src\/a/u,
    ],
  ])("%s", ([, name, sources, problem]) => {
    const packages = workspace.map((each) =>
      each.name === `@hookwright/${name}`
        ? { ...each, sources: new Map(Object.entries(sources).map(([file, code]) => [`src/${file}`, code])) }
        : { ...each, sources: new Map() },
    );
    expect(findImportProblems(packages)).toEqual([expect.stringMatching(problem)]);
  });
});
