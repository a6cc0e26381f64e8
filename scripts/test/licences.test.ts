import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readWorkspace, ROOT } from "../bootstrap/workspace.mjs";
import type { Manifest } from "../bootstrap/workspace.mjs";
import { checkLicences } from "../licences/check-licences.mjs";
import { isAllowed } from "../licences/is-allowed.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("a licence is", () => {
  it.each([
    "MIT",
    "Apache-2.0",
    "(MIT OR CC0-1.0)",
    "(BSD-3-Clause OR GPL-2.0)",
    "GPL-3.0-only OR (MIT AND ISC)",
    "MIT AND (GPL-2.0 OR 0BSD)",
    "GPL-2.0 AND MIT OR ISC",
    "OFL-1.1",
  ])("allowed: %s", (license) => expect(isAllowed(license)).toBe(true));
  it.each([
    undefined,
    "",
    "GPL-3.0",
    "MPL-2.0",
    "UNLICENSED",
    "SEE LICENSE IN LICENSE.md",
    "MIT AND GPL-2.0",
    "MIT AND (GPL-2.0 OR LGPL-3.0)",
    "Apache-2.0 WITH LLVM-exception",
    "(MIT",
    "MIT)",
    "MIT, GPL-2.0",
    { type: "MIT" },
    ["MIT"],
  ])("not allowed: %j", (license) => expect(isAllowed(license)).toBe(false));
});

describe("the licences of what is shipped", () => {
  it("are found at any depth, and those of tools and of optional peers do not count", (context) => {
    const { workspace } = makeTree(context, {
      "": {
        name: "hookwright",
        dependencies: { near: "1.0.0", "@hookwright/private": "workspace:^" },
        optionalDependencies: { "for-another-platform": "1.0.0" },
        devDependencies: { tool: "1.0.0" },
        peerDependencies: { peer: "1.0.0", chosen: "1.0.0" },
        peerDependenciesMeta: { chosen: { optional: true } },
      },
      near: { license: "MIT", dependencies: { far: "1.0.0" } },
      "near/node_modules/far": { license: "ISC", dependencies: { near: "1.0.0" } },
      peer: { license: "0BSD" },
      chosen: { license: "GPL-3.0" },
      tool: { license: "GPL-3.0" },
    });
    const { code, output } = checkLicences({ workspace, bundled: new Map() });
    expect(code).toBe(0);
    expect(output).toBe(
      "far 1.0.0   ISC   near 1.0.0\nnear 1.0.0  MIT   hookwright\npeer 1.0.0  0BSD  hookwright\n\n3 packages",
    );
  });

  it("fail if one far away is not allowed, and say because of what it is there", (context) => {
    const { workspace } = makeTree(context, {
      "": { name: "hookwright", dependencies: { near: "1.0.0" } },
      near: { license: "MIT", dependencies: { far: "1.0.0", none: "1.0.0" } },
      far: { license: "GPL-3.0" },
      none: {},
    });
    const { code, output } = checkLicences({ workspace, bundled: new Map() });
    expect(code).toBe(1);
    expect(output).toContain("far 1.0.0, needed by near 1.0.0: GPL-3.0 is not allowed.");
    expect(output).toContain("none 1.0.0, needed by near 1.0.0: no licence is not allowed.");
  });

  it("fail if the notices are of another version of a bundled package", (context) => {
    const { workspace } = makeTree(context, { "": { name: "console" }, copied: { license: "MIT" } });
    const bundled = new Map([["console", ["copied"]]]);
    expect(checkLicences({ workspace, bundled, notices: "copied 1.0.0" }).code).toBe(0);
    const { code, output } = checkLicences({ workspace, bundled, notices: "copied 0.9.0" });
    expect(code).toBe(1);
    expect(output).toMatch(/^copied 1\.0\.0 is not in LICENSES\.txt\./u);
  });
});

it("nothing of others is copied into a build, except into the developer site", () => {
  const builds = readWorkspace()
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap(({ folder }) => globSync("dist/*.js", { cwd: folder }).map((file) => path.join(folder, file)));
  expect(builds.length).toBeGreaterThan(20);
  // The bundler names each source above its code.
  const copying = builds.filter((file) => /^\/\/ .*node_modules\//mu.test(readFileSync(file, "utf8")));
  expect(copying.map((file) => path.relative(ROOT, file))).toEqual([]);
});

/** A package, and what is installed in its node_modules. Each installed one has the version 1.0.0. */
function makeTree(context: Parameters<typeof temporaryFolder>[0], manifests: Record<string, Manifest>) {
  const root = temporaryFolder(context);
  for (const [place, manifest] of Object.entries(manifests)) {
    const folder = place === "" ? root : path.join(root, "node_modules", place);
    mkdirSync(folder, { recursive: true });
    const name = path.basename(place);
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name, version: "1.0.0", ...manifest }));
  }
  const manifest = manifests[""] ?? {};
  const workspace = [
    { name: manifest.name ?? "", folder: root, manifest },
    { name: "@hookwright/private", folder: root, manifest: { private: true } },
  ];
  return { workspace };
}
