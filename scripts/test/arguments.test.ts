import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { ROOT } from "../bootstrap/root.mjs";

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(ROOT, "scripts", script), ...args],
    { cwd: ROOT, encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

describe("a script", () => {
  it.each([
    ["build.mjs", /^npm run build\n/u],
    ["pack.mjs", /^npm run pack\n/u],
    ["test.mjs", /^npm test \[-- PATH … [\s\S]*npm test -- packages\/cursor\n$/u],
    ["check.mjs", /^npm run check \[-- STEP …\]\n[\s\S]*^ {2}lint +oxlint$/mu],
    ["docs.mjs", /^npm run docs \[-- dev \| build \| preview [\s\S]*docs\/\.vitepress\/dist/u],
    ["bench.mjs", /^npm run bench \[-- NAME [\s\S]*delivery, [\s\S]*only by their name: attacks;/u],
  ])("%s says with --help how it is called, and does nothing", (script, usage) => {
    expect(run(script, "--help")).toEqual({ status: 0, stdout: expect.stringMatching(usage), stderr: "" });
  });

  it("docs.mjs says so behind a command too, where VitePress would begin with it", () => {
    const { status, stdout } = run("docs.mjs", "nope", "--help");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^npm run docs /u) });
  });

  it.each([
    ["build.mjs", ["nope"], '`npm run build` takes no arguments, and "nope" is one'],
    ["pack.mjs", ["nope"], '`npm run pack` takes no arguments, and "nope" is one'],
    ["check.mjs", ["nope"], 'There is no step "nope". Choose among: build, types'],
    ["bench.mjs", ["nope"], 'There is no bench "nope". Choose one of: api'],
    ["docs.mjs", ["nope"], 'There is no command "nope". Choose one of: dev, build, preview'],
    ["tool.mjs", [], "Say which tool"],
  ])("%s refuses %j before it does anything, in words", (script, args, reason) => {
    const refused = run(script, ...args);
    expect(refused).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining(reason) });
    expect(refused.stderr).not.toMatch(/^\s+at /mu);
  });
});
