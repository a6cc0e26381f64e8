import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { renderSnippet } from "../../packages/console/site/console/parts/verify-snippets.ts";
import { packageSource } from "../../packages/domain/src/package-source.ts";
import { readWorkspace, ROOT } from "../bootstrap/workspace.mjs";

const version = readWorkspace(ROOT)[0]?.manifest.version;

it("npx and npm get a file of the server before the first release, and the name of the package after it", () => {
  const server = "https://hooks.example.com/base";
  expect(packageSource("cli", server, { version: "0.0.0" })).toBe(`${server}/console/cli.tgz`);
  expect(packageSource("cli", server, { version: "0.0.0", tag: "4fK2" })).toBe(
    `${server}/console/cli.tgz#4fK2`,
  );
  expect(packageSource("cli", server, { version: "1.0.0", tag: "4fK2" })).toBe("@hookwright/cli");
  expect(packageSource("signature", server, { version: "0.0.0" })).toBe(`${server}/console/signature.tgz`);
});

it("the verifiers for other languages come from the server, also after the first release", () => {
  const server = "https://hooks.example.com/base";
  const install = (language: "Node" | "Python", version: string) =>
    renderSnippet(language, { server, headerPrefix: undefined, version }).install;
  expect(install("Node", "0.0.0")).toBe(`npm install ${server}/console/signature.tgz`);
  expect(install("Node", "1.0.0")).toBe("npm install @hookwright/signature");
  for (const each of ["0.0.0", "1.0.0"])
    expect(install("Python", each)).toBe(
      `curl -fsS ${server}/console/signature.tgz | tar -xz package/verifiers/python`,
    );
});

// Until then anybody could take the names. READMEs of packages reach npm only with a release.
it("each guide that installs our packages says what to do before the first release, and not after it", () => {
  const guides = globSync(["README.md", "docs/{guide,operations}/**/*.md"], { cwd: ROOT });
  const texts = guides.map((file) => ({ file, text: readFileSync(path.join(ROOT, file), "utf8") }));
  const installing = texts.filter(({ text }) => /npm install .*hookwright/u.test(text));
  expect(installing.length).toBeGreaterThan(5);
  const wanted = version === "0.0.0" ? installing : [];
  expect(texts.filter(({ text }) => /before the first release/iu.test(text)).map(({ file }) => file)).toEqual(
    expect.arrayContaining(wanted.map(({ file }) => file)),
  );
});

it.runIf(version === "0.0.0")("no text tells people to run one of our names with npx", () => {
  const files = globSync(["**/*.{md,ts,tsx,mjs}", ".changeset/*.md", "docs/.vitepress/**/*.ts"], {
    cwd: ROOT,
    exclude: ["**/node_modules/**", "**/dist/**", "**/test/**"],
  });
  const found = files.filter((file) =>
    /\bnpx (?:-\S+ )*@hookwright/u.test(readFileSync(path.join(ROOT, file), "utf8")),
  );
  expect(found).toEqual([]);
});
