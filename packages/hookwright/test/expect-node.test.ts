import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { expectNode } from "../src/options/expect-node.ts";

it.each(["12.22.12", "20.20.2", "22.17.1"])("Node %s is refused", (version) => {
  expect(() => expectNode(version)).toThrow(
    `node: must be 22.18 or newer, and this process runs Node ${version}. Install a newer Node from https://nodejs.org`,
  );
});

it.each(["22.18.0", "22.19.1", "23.0.0", "26.10.0"])("Node %s is accepted", (version) => {
  expect(() => expectNode(version)).not.toThrow();
});

it("the oldest Node is the one that package.json names", async () => {
  const { engines } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  const oldest = String(engines.node).replace(">=", "");
  expectNode(`${oldest}.0`);
  expect(() => expectNode("0.0.0")).toThrow(`must be ${oldest} or newer`);
});
