import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

it("the CI installs each program that a suite needs", () => {
  const [, programs = ""] = /^programs=\(\n(.*?)^\)/msu.exec(read(".ci/run")) ?? [];
  const installed = new Set([...programs.matchAll(/:(\S+)$/gmu)].map(([, name = ""]) => name));
  const calls = globSync("{packages,reference-server,docs}/**/test/**/*.ts", {
    cwd: root,
    exclude: ["**/node_modules/**"],
  }).flatMap((file) => [...read(file).matchAll(/\bhasProgram\((?!name:)([^)]*)\)/gu)]);
  const needed = new Set(calls.map(([, given = ""]) => given.split(", ").at(-1)?.replaceAll('"', "")));
  expect(needed.size).toBeGreaterThan(5);
  expect([...needed].filter((name = "") => !installed.has(name))).toEqual([]);
});
