import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { expectNode } from "../src/options/expect-node.ts";

it.each(["12.22.12", "20.20.2", "22.17.1"])("Node %s is refused", (version) => {
  expect(() => expectNode(version)).toThrow(
    `node: must be 22.18 or newer, but this process runs Node ${version}. Install a newer Node`,
  );
});

it.each(["22.18.0", "22.19.1", "23.0.0", "26.10.0"])("Node %s is accepted", (version) => {
  expect(() => expectNode(version)).not.toThrow();
});

it("the oldest supported Node is the same as in package.json", async () => {
  const { engines } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  const oldest = String(engines.node).replace(">=", "");
  expectNode(`${oldest}.0`);
  expect(() => expectNode("0.0.0")).toThrow(`must be ${oldest} or newer`);
});

/** An older Node that has all imported names, if the machine has one. */
const node20 = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((directory) => join(directory, "node"))
  .find(
    (program) =>
      existsSync(program) &&
      spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.startsWith("v20."),
  );

it.skipIf(node20 === undefined)("Node 20 loads the built package, which then refuses it", () => {
  const built = new URL("../dist/index.js", import.meta.url).href;
  const script = `import { createHookwright } from "${built}";
    await createHookwright({}).catch((error) => console.log(error.name, error.message));`;
  const ended = spawnSync(node20 ?? "", ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(ended).toMatchObject({
    status: 0,
    stderr: "",
    stdout: expect.stringMatching(
      /^ConfigurationError node: must be 22\.18 or newer, but this process runs /u,
    ),
  });
});
