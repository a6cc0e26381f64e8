import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { ROOT } from "../bootstrap/root.mjs";
import { ensurePnpm } from "../bootstrap/toolchain.mjs";
import { readWorkspace } from "../bootstrap/workspace.mjs";
import { describePacked } from "../packing/describe-packed.mjs";
import { packPackages } from "../packing/pack-packages.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

const { env } = process;
const progress = { step: async (_: string, work: () => Promise<unknown>) => void (await work()), note() {} };

describe("what is packed", () => {
  it("names versions in place of the workspace, for everything that is published", async (context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    const folder = path.join(root, "packed");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "hookwright-0.0.9.tgz"), "of an earlier version");

    const pnpm = await ensurePnpm({ root: ROOT, env, progress });
    const packed = await packPackages({ workspace: readWorkspace(root), folder, pnpm, env });

    expect([...packed.keys()]).toEqual(["@hookwright/signature", "hookwright"]);
    expect(readdirSync(folder).toSorted()).toEqual([
      "hookwright-1.2.3.tgz",
      "hookwright-signature-1.2.3.tgz",
    ]);
    expect(readManifest(packed.get("hookwright") ?? "")).toMatchObject({
      dependencies: { "@hookwright/signature": "^1.2.3" },
    });
  });

  it("is installed with all of ours that it needs, and nothing else of ours", (context) => {
    const root = temporaryFolder(context);
    makeWorkspace(root);
    const packed = new Map([
      ["@hookwright/signature", "/packed/hookwright-signature-1.2.3.tgz"],
      ["hookwright", "/my packed/hookwright-1.2.3.tgz"],
    ]);
    const text = describePacked({ workspace: readWorkspace(root), packed, folder: "/packed" });
    expect(text).toContain("2 packages in /packed/");
    expect(text).toContain(
      '  npm install /packed/hookwright-signature-1.2.3.tgz \\\n    "/my packed/hookwright-1.2.3.tgz"\n',
    );
    expect(text).toMatch(/ {2}npm install \/packed\/hookwright-signature-1\.2\.3\.tgz$/u);
    expect(text).not.toContain("docs");
  });

  it("says where its sources lie: by that a registry finds what the links of a README mean", () => {
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

  it("has the packages of this repository that people install", () => {
    const published = readWorkspace(ROOT).filter(({ manifest }) => manifest.private !== true);
    const packed = new Map(published.map(({ name }) => [name, `/packed/${name}.tgz`]));
    const text = describePacked({ workspace: readWorkspace(ROOT), packed, folder: "/packed" });
    expect(text).toContain("/packed/hookwright.tgz\n");
    expect(text).toContain("/packed/@hookwright/reference-server.tgz\n");
    expect(text).toContain("/packed/@hookwright/client.tgz\n");
    expect(text).toMatch(/\/packed\/@hookwright\/msw\.tgz \\\n {4}msw$/u);
  });
});

/** A package, one that needs it, and one that is not published. */
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
  // As an install links it.
  const modules = path.join(root, "packages", "hookwright", "node_modules", "@hookwright");
  mkdirSync(modules, { recursive: true });
  symlinkSync(path.join(root, "packages", "signature"), path.join(modules, "signature"), "junction");
}

function readManifest(tarball: string): unknown {
  return JSON.parse(
    spawnSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }).stdout,
  );
}
