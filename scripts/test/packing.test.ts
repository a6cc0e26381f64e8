import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readWorkspace, ROOT } from "../bootstrap/workspace.mjs";
import { describePacked } from "../packing/describe-packed.mjs";
import { packPackages } from "../packing/pack-packages.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("what is packed", () => {
  it("names versions in place of the workspace, for everything that is published", async (context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    const folder = path.join(root, "packed");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "hookwright-0.0.9.tgz"), "of an earlier version");

    const packed = await packPackages({ workspace: readWorkspace(root), folder });

    expect([...packed.keys()]).toEqual(["@hookwright/signature", "hookwright"]);
    expect(readdirSync(folder).toSorted()).toEqual([
      "hookwright-1.2.3.tgz",
      "hookwright-signature-1.2.3.tgz",
    ]);
    expect(readManifest(packed.get("hookwright") ?? "")).toMatchObject({
      dependencies: { "@hookwright/signature": "^1.2.3" },
    });
  });

  it("prints install commands with exactly the required workspace packages", (context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    const packed = new Map([
      ["@hookwright/signature", "/packed/hookwright-signature-1.2.3.tgz"],
      ["hookwright", "/my packed/hookwright-1.2.3.tgz"],
    ]);
    const text = describePacked({ workspace: readWorkspace(root), packed, folder: "/packed" });
    expect(text).toContain("2 packages in /packed/");
    expect(text).toContain(
      '  npm install /packed/hookwright-signature-1.2.3.tgz \\\n    "/my packed/hookwright-1.2.3.tgz" \\\n    lmdb\n',
    );
    expect(text).toMatch(/ {2}npm install \/packed\/hookwright-signature-1\.2\.3\.tgz$/u);
    expect(text).not.toContain("docs");
  });

  it("requires the repository directory in manifests, so that registries resolve links of READMEs", () => {
    const published = readWorkspace(ROOT).filter(({ manifest }) => manifest.private !== true);
    expect(published.length).toBeGreaterThan(10);
    for (const { folder, manifest } of published) {
      const directory = path.relative(ROOT, folder).replaceAll(path.sep, "/");
      expect(manifest).toMatchObject({
        homepage: expect.stringContaining(`/${directory}#readme`),
        bugs: expect.stringMatching(/^https:/u),
        repository: { type: "git", url: expect.stringMatching(/^git\+https:.*\.git$/u), directory },
      });
    }
  });

  it("prints install commands for the packages of this repository", () => {
    const published = readWorkspace(ROOT).filter(({ manifest }) => manifest.private !== true);
    const packed = new Map(published.map(({ name }) => [name, `/packed/${name}.tgz`]));
    const text = describePacked({ workspace: readWorkspace(ROOT), packed, folder: "/packed" });
    expect(text).toMatch(/\/packed\/hookwright\.tgz \\\n {4}lmdb\n/u);
    expect(text).toMatch(/npm install --global [^\n]*(?: \\\n {4}\S+)+ \\\n {4}lmdb ioredis pg\n/u);
    expect(text).toContain("/packed/@hookwright/client.tgz\n");
    expect(text).toMatch(/\/packed\/@hookwright\/msw\.tgz \\\n {4}msw$/u);
  });
});

it("every entry is a module, with declarations of a module beside it", () => {
  for (const { name, manifest } of readWorkspace(ROOT).filter(({ manifest: { exports } }) => exports)) {
    expect([name, manifest]).toMatchObject([name, { type: "module" }]);
    for (const target of Object.values(manifest.exports ?? {})) {
      if (typeof target === "string" && target.endsWith(".json")) continue;
      const { default: file }: { default?: string } = Object(target);
      expect(target).toEqual({
        types: file?.replace(/\.js$/u, ".d.ts"),
        default: expect.stringMatching(/\.js$/u),
      });
    }
  }
});

it("require() loads every entry of every package, for CommonJS programs", () => {
  const entries = readWorkspace(ROOT)
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap(({ folder, manifest }) =>
      Object.values(manifest.exports ?? {}).flatMap((target) => {
        const { default: file = "" }: { default?: string } = Object(target);
        return file.endsWith(".js") ? [path.join(folder, file)] : [];
      }),
    );
  expect(entries.length).toBeGreaterThan(20);
  const program = `for (const entry of ${JSON.stringify(entries)}) require(entry);`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=commonjs", "--eval", program], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

/** Creates a package, a package that depends on it, and a private package. */
function makeWorkspace(root: string): void {
  const dependencies = { "@hookwright/signature": "workspace:^" };
  const manifests = {
    signature: { name: "@hookwright/signature", version: "1.2.3" },
    hookwright: { name: "hookwright", version: "1.2.3", dependencies },
    docs: { name: "docs", version: "1.2.3", private: true, dependencies },
  };
  writeFileSync(path.join(root, "pnpm-workspace.yaml"), "packages:\n  - packages/*\n");
  writeFileSync(path.join(root, "package.json"), JSON.stringify({ private: true }));
  for (const [name, manifest] of Object.entries(manifests)) {
    const folder = path.join(root, "packages", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  }
  // The link that an install creates.
  const modules = path.join(root, "packages", "hookwright", "node_modules", "@hookwright");
  mkdirSync(modules, { recursive: true });
  symlinkSync(path.join(root, "packages", "signature"), path.join(modules, "signature"), "junction");
}

function readManifest(tarball: string): unknown {
  return JSON.parse(
    spawnSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }).stdout,
  );
}
