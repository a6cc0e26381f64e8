import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../bootstrap/workspace.mjs";
import { readAllExamples, readExamples } from "./support/read-examples.ts";
import { runExample } from "./support/run-example.ts";

const examples = readAllExamples(ROOT);
const run = examples.filter(({ info }) => info === "");
const shown = examples.filter(({ info }) => info.startsWith("file="));
const marked = examples.filter(({ info }) => info !== "" && !info.startsWith("file="));

// Each example runs in its own process, which is slow on a busy machine.
describe.concurrent("an example of a page", { timeout: 90_000 }, () => {
  it.each(run)("runs and prints the text in its comments: $place", async (example) => {
    expect(await runExample(example)).toEqual([]);
  });
});

it.each(shown)("a code block equals the file that it names: $place $info", ({ info, code }) => {
  const file = path.join(ROOT, info.slice("file=".length));
  expect(existsSync(file), `${info}: there is no such file`).toBe(true);
  expect(code).toBe(readFileSync(file, "utf8"));
});

it("an example that is not run has a reason", () => {
  expect(marked.filter(({ info }) => !/^no-run: \S/u.test(info))).toEqual([]);
});

it("no example uses `using`, because the oldest supported Node does not parse it", () => {
  const newer = examples.filter(({ code }) => /^\s*(?:await )?using /mu.test(code));
  expect(newer.map(({ place }) => place)).toEqual([]);
});

it("every package has a README with an example that runs", () => {
  const pages = new Set(run.map(({ place }) => place.replace(/:\d+$/u, "")));
  const folders = readdirSync(path.join(ROOT, "packages"));
  expect(folders.filter((name) => !pages.has(`packages/${name}/README.md`))).toEqual([]);
  expect(pages).toContain("README.md");
});

/** What an import needs beside the imported package. */
const peers: Readonly<Record<string, string>> = {
  "@hookwright/storage/filesystem": "lmdb",
  "@hookwright/storage/redis": "ioredis",
  "@hookwright/storage/postgres": "pg",
  "@hookwright/storage/unstorage": "unstorage",
};
const followed = globSync(["packages/*/README.md", "docs/guide/*.md"], { cwd: ROOT });

it.each(followed)("the install commands of %s include every package that its code needs", (page) => {
  const text = readFileSync(path.join(ROOT, page), "utf8");
  const installed = installedBy(text);
  if (text.includes("(embedding.md#install)"))
    for (const name of ["hookwright", "@hookwright/storage", "lmdb"]) installed.add(name);
  const needed = examples
    .filter(({ place }) => place.startsWith(`${page}:`))
    .flatMap(({ code }) => [...code.matchAll(/ from "([^."][^"]*)"/gu)])
    .flatMap(([, name = ""]) => [
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
      ...(peers[name] === undefined ? [] : [peers[name]]),
    ])
    .filter((name) => !name.startsWith("node:"));
  expect([...new Set(needed)].filter((name) => !installed.has(name))).toEqual([]);
});

/** The packages in the `npm install` commands of a page. */
function installedBy(page: string): Set<string> {
  const commands = page.matchAll(/(?:^|`)npm install ([^#`\n]*)/gmu);
  return new Set([...commands].flatMap(([, words = ""]) => words.trim().split(/\s+/u)));
}

describe.concurrent("an example is refused", { timeout: 60_000 }, () => {
  it.each([
    ["that throws", `throw new Error("broken");`, /exit code 1\n[\s\S]*broken/],
    ["that no longer parses", `const = 1;`, /exit code 1/],
    ["that imports a name that does not exist", `import { gone } from "hookwright"; gone();`, /gone/],
    [
      "that prints a different text",
      `console.log(1 + 1); // 3`,
      /^line 1 of the block prints 2; its comment says 3$/,
    ],
    [
      "that prints a different text than the comment on the next line",
      `\nconsole.log("a");\n// b\n`,
      /^line 2 .* prints a; .* says b$/,
    ],
    ["that prints nothing", `if (Date.now() < 0) console.log(1); // 1`, /prints nothing/],
  ])("%s", async (_, code, problem) => {
    expect((await runExample({ place: "page.md:1", code })).join("\n")).toMatch(problem);
  });

  it("that does not exit", async () => {
    expect(
      await runExample({ place: "page.md:1", code: "setInterval(() => {}, 1_000);" }, { limitMs: 1_500 }),
    ).toEqual([expect.stringContaining("something is left open")]);
  });
});

it("code blocks are found with all names of the language, with their line", () => {
  const page = "# A page\n\n```ts\n1;\n```\n\n```sh\nls\n```\n\n````js no-run: why\n2;\n````\n";
  expect(readExamples("page.md", page)).toEqual([
    { place: "page.md:3", info: "", code: "1;\n" },
    { place: "page.md:11", info: "no-run: why", code: "2;\n" },
  ]);
});
