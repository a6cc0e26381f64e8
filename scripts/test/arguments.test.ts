import { spawnSync } from "node:child_process";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { toServerArguments } from "../commands/start.mjs";
import { ROOT } from "../bootstrap/workspace.mjs";

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", ...args], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

it.each([
  [[], ["serve", "--demo"]],
  [
    ["--port", "3205"],
    ["serve", "--demo", "--port", "3205"],
  ],
  [
    ["--demo", "--port=3205"],
    ["serve", "--demo", "--port=3205"],
  ],
  [
    ["serve", "--port", "3205"],
    ["serve", "--port", "3205"],
  ],
  [["--help"], ["--help"]],
])("npm start -- %j runs the server with %j", (args, expected) => {
  expect(toServerArguments(args)).toEqual(expected);
});

describe("a command", () => {
  it.each([
    ["build", /^npm run build\n/u],
    ["pack", /^npm run pack\n/u],
    ["test", /^npm test \[-- PATH … [\s\S]*npm test -- packages\/cursor\n[\s\S]*test:unit/u],
    ["test-long", /^npm run test:long\n[\s\S]*TEST_SEED=/u],
    ["check", /^npm run check \[-- STEP …\]\n[\s\S]*^ {2}lint +oxlint$/mu],
    ["docs", /^npm run docs \[-- dev \| build \| preview [\s\S]*docs\/\.vitepress\/dist/u],
    ["bench", /^npm run bench \[-- NAME [\s\S]*delivery, [\s\S]*only by name: attacks, compare, scale;/u],
  ])("%s --help prints how to call it, and does nothing", (command, usage) => {
    expect(run(command, "--help")).toEqual({ status: 0, stdout: expect.stringMatching(usage), stderr: "" });
  });

  it.each([
    [["nope"], 'scripts/commands has no "nope"'],
    [["build", "nope"], "`npm run build` takes no arguments: nope"],
    [["pack", "nope"], "`npm run pack` takes no arguments: nope"],
    [["test-long", "nope"], "`npm run test:long` takes no arguments: nope"],
    [["check", "nope"], 'There is no step "nope". Choose among: lint, format'],
    [["bench", "nope"], 'There is no bench "nope". Choose one of: api'],
    [["docs", "nope"], 'There is no command "nope". Choose one of: dev, build, preview'],
    [["tool"], "Name a program"],
  ])("%j is refused before anything is done, with a reason and without a stack", (args, reason) => {
    const refused = run(...args);
    expect(refused).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining(reason) });
    expect(refused.stderr).not.toMatch(/^\s+at /mu);
  });
});
