import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runCli } from "../src/run-cli.ts";
import { createTestProgram } from "./support/test-program.ts";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

it.each(["18.20.8", "22.17.1"])("Node %s is refused with 2", (version) => {
  const preload = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(preload)}`, main, "--version"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^hookwright needs Node 22\.18 or newer, but this is Node .*\n$/u);
});

it.each([[[]], [["--json"]]] as const)("an unexpected error ends with 3 %j", async (options) => {
  const program = createTestProgram();
  const code = await runCli({
    ...program,
    commandLine: ["completion", "bash", ...options],
    print: () => {
      throw new TypeError("a bug");
    },
  });
  expect(code).toBe(3);
  expect(program.complained.join("\n")).toMatch(/unexpected error: TypeError: a bug \(at .*issues/u);
  if (options.length > 0)
    expect(JSON.parse(program.complained.join("\n"))).toMatchObject({ error: { code: "unexpected_error" } });
});

it("an error outside of a command ends the process with 3", () => {
  const preload =
    'globalThis.fetch = () => { setTimeout(() => { throw new Error("stray") }); return new Promise(() => {}) }';
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(preload)}`,
      main,
      "listen",
      "--server",
      "http://192.0.2.1",
      "--key",
      "k",
    ],
    { encoding: "utf8", timeout: 30_000 },
  );
  expect(status).toBe(3);
  expect(stderr).toContain("unexpected error: Error: stray");
});
