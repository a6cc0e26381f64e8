import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../bootstrap/workspace.mjs";

/** Hosts of packages and programs, in pieces, so that this file does not name them either. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  com: ["npmjs", "yarnpkg", "npmmirror", "nodesource", "ubuntu", "docker", "unpkg", "githubusercontent"],
  org: ["npmjs", "pypi", "pythonhosted", "debian", "nodejs", "rubygems", "packagist", "alpinelinux", "maven"],
  io: ["docker", "ghcr", "gcr", "quay", "crates", "jsr"],
  net: ["jsdelivr"],
  sh: ["esm"],
};
const named = Object.entries(hosts).map(([end, names]) => `(?:${names.join("|")})\\.${end}`);
const packageHost = new RegExp(`\\b(?:${named.join("|")})\\b|/releases/(?:download)/`, "u");

it("no file names a host of packages: whoever clones the repository chooses the registry and the mirror", () => {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0");
  const found = files
    .filter((file) => file !== "" && file !== "pnpm-lock.yaml")
    .flatMap((file) =>
      readFileSync(path.join(ROOT, file), "utf8")
        .split("\n")
        .flatMap((line, index) => (packageHost.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});
