import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../bootstrap/workspace.mjs";
import { readDocstringExamples } from "./support/read-docstring-examples.ts";
import { typeCheckDocstrings } from "./support/type-check-docstrings.ts";

const examples = globSync("packages/*/src/**/*.ts", { cwd: ROOT }).flatMap((file) =>
  readDocstringExamples(file, readFileSync(path.join(ROOT, file), "utf8")),
);

it("the examples of docstrings compile, except for undeclared names", { timeout: 60_000 }, () => {
  expect(examples.length).toBeGreaterThan(40);
  expect(typeCheckDocstrings(examples)).toEqual([]);
});

describe("an example is refused", () => {
  it.each([
    ["that passes a wrong type", "createCursorCodec({ secret: process.env.SECRET });", /undefined/u],
    ["that passes an unknown option", "createCursorCodec({ secret, limit: 1 });", /'limit' does not exist/u],
    [
      "that imports a name that does not exist",
      'import { gone } from "@hookwright/cursor"; gone();',
      /'gone'/u,
    ],
  ])("%s", { timeout: 60_000 }, (_, code, problem) => {
    const [first] = typeCheckDocstrings([{ place: "packages/cursor/src/cursor-codec.ts:1", code }]);
    expect(first).toMatch(problem);
  });
});

it("an example ends at the end of its comment or at the next tag; examples with `…` are skipped", () => {
  const source = `
/**
 * A call.
 *
 * @example
 * const a = call("ada@example.com");
 * a.done();
 *
 * @throws never
 */
/** Another. @example call(1) // 2 */
/** @example call({ …, a: 1 }) */
`;
  expect(readDocstringExamples("a.ts", source)).toEqual([
    { place: "a.ts:5", code: 'const a = call("ada@example.com");\na.done();' },
    { place: "a.ts:11", code: "call(1) // 2" },
  ]);
});
