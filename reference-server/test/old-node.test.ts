import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const built = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const source = fileURLToPath(new URL("../src/main.ts", import.meta.url));

const versionOf = (program: string): string =>
  spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.trim().replace(/^v/u, "");

/** An old Node, if the machine has one. */
const oldNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((directory) => join(directory, "node"))
  .find((program) => existsSync(program) && Number(versionOf(program).split(".")[0]) < 22);

const sentence = (version: string, program: string): string =>
  `hookwright needs Node 22.18 or newer, but this is Node ${version} (${program}). Install a newer Node and run the command again.\n`;

/** Runs this Node with a preload that changes its version. */
function runAs(version: string, script: string) {
  const preload = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(preload)}`, script, "--version"];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}

describe("a Node that is too old", () => {
  it.skipIf(oldNode === undefined)("gets a one-sentence error from the built command", () => {
    const program = oldNode ?? "";
    const ended = spawnSync(program, [built, "serve"], { encoding: "utf8" });
    expect(ended).toMatchObject({ status: 2, stdout: "", stderr: expect.any(String) });
    expect(ended.stderr).toMatch(
      /^hookwright needs Node 22\.18 or newer, but this is Node \d+\.\d+\.\d+ \(\S+\). Install a newer Node and run the command again\.\n$/u,
    );
    expect(ended.stderr).toContain(versionOf(program));
  });

  it.each(["10.24.1", "20.20.2", "22.17.1"])("is refused: %s", (version) => {
    expect(runAs(version, source)).toMatchObject({
      status: 2,
      stdout: "",
      stderr: sentence(version, process.execPath),
    });
  });

  it("never fails at an import, because the built command has no static import", async () => {
    // A static import is resolved before the first line runs.
    expect(await readFile(built, "utf8")).not.toMatch(/^\s*(?:import|export)\b(?!\()/mu);
  });
});

describe("a supported Node", () => {
  it.each(["22.18.0", "24.0.0"])("is accepted: %s", (version) => {
    expect(runAs(version, built)).toMatchObject({ status: 0, stderr: "" });
  });

  it("has the version in package.json", async () => {
    const { engines } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
    expect(engines).toEqual({ node: ">=22.18" });
  });
});
