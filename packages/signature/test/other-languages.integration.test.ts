import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testVectors } from "../scripts/generate-test-vectors.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const vectors = path.join(root, "packages/signature/test-vectors.json");
const own = readFileSync(path.join(root, "packages/signature/README.md"), "utf8");
const { version } = JSON.parse(readFileSync(path.join(root, "packages/signature/package.json"), "utf8"));

interface Language {
  /** The folder below `verifiers`. Its package is built in a copy, which must need no other file of the repository. */
  readonly name: string;
  /** Exits with 0 where the language is installed. */
  readonly check: string;
  /** Prints each refusal and "… vectors, 0 wrong". */
  readonly test: string;
  /** Builds the package offline, where its tool is installed. */
  readonly build?: { readonly check: string; readonly command: string; readonly file: string };
  readonly metadata: string;
}

const languages: Language[] = [
  {
    name: "python",
    check: "python3 --version",
    // -B, so that Python writes no compiled files next to the sources.
    test: 'python3 -B test_vectors.py "$VECTORS"',
    build: {
      check: 'python3 -c "import setuptools, wheel"',
      command: "python3 -m pip wheel --quiet --no-deps --no-build-isolation --no-index --wheel-dir built .",
      file: "built/*.whl",
    },
    metadata: "pyproject.toml",
  },
  {
    name: "go",
    check: "go version",
    test: "go vet . && go test -count=1 -v .",
    metadata: "go.mod",
  },
  {
    name: "php",
    check: "php --version",
    test: 'php tests/vectors.php "$VECTORS"',
    metadata: "composer.json",
  },
  {
    name: "ruby",
    check: "ruby --version",
    test: 'ruby -w test/vectors.rb "$VECTORS"',
    build: {
      check: "gem --version",
      command: "gem build --strict hookwright-signature.gemspec",
      file: "*.gem",
    },
    metadata: "hookwright-signature.gemspec",
  },
  {
    name: "java",
    check: "javac -version",
    test:
      "javac -Xlint:all -Werror -d built $(find src -name '*.java') && " +
      'java -cp built io.github.hookwright.signature.VectorsTest "$VECTORS"',
    build: {
      check: "jar --version",
      command:
        "javac -d classes $(find src/main -name '*.java') && jar --create --file signature.jar -C classes .",
      file: "*.jar",
    },
    metadata: "pom.xml",
  },
  {
    name: "csharp",
    check: "dotnet --version",
    test: 'dotnet run --project tests -- "$VECTORS"',
    build: { check: "true", command: "dotnet pack --output built", file: "built/*.nupkg" },
    metadata: "Hookwright.Signature.csproj",
  },
  {
    name: "rust",
    // It downloads crates and compiles them.
    check: process.env["HOOKWRIGHT_TEST_APPS"] === "true" ? "cargo --version" : "false",
    test: "cargo test --quiet -- --nocapture",
    build: { check: "true", command: "cargo package --quiet --allow-dirty", file: "target/package/*.crate" },
    metadata: "Cargo.toml",
  },
];

const run = (command: string, options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  spawnSync("/bin/sh", ["-c", command], { encoding: "utf8", ...options });
const isInstalled = ({ check }: Language): boolean => run(check).status === 0;
const installed = languages.filter(isInstalled);
for (const { name } of languages.filter((language) => !installed.includes(language)))
  process.stderr.write(
    `The test vectors for ${name} did not run: see packages/signature/verifiers/${name}/README.md.\n`,
  );

it("with CI=true Python is installed", () => {
  expect(process.env["CI"] === "true" ? installed.map(({ name }) => name) : ["python"]).toContain("python");
});

describe.each(installed)("the package for $name", { tags: ["long"] }, ({ name, test, build }) => {
  let folder = "";
  const environment = (): NodeJS.ProcessEnv => ({ ...process.env, VECTORS: vectors });

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), `hookwright-${name}-`));
    cpSync(path.join(root, "packages/signature/verifiers", name), folder, { recursive: true });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    "agrees on every vector, and its messages contain no secret and no signature",
    { timeout: 180_000 },
    () => {
      const { status, stdout, stderr } = run(test, { cwd: folder, env: environment() });
      expect(stdout + stderr).toMatch(new RegExp(`^${testVectors.length} vectors, 0 wrong$`, "mu"));
      expect(status).toBe(0);
      expect(stdout).toMatch(/^signature_mismatch: no signature matches: the secret is wrong/mu);
      expect(stdout).toMatch(/^signature_mismatch: the body is empty/mu);
      expect(stdout).toMatch(/^timestamp_outside_tolerance: the timestamp is 301\.000 s behind now/mu);
      expect(stdout).toMatch(/^timestamp_outside_tolerance: .*x-service-timestamp is in milliseconds/mu);
      const secrets = testVectors.flatMap((vector) => vector.secrets).filter((secret) => secret.length > 0);
      expect(secrets.filter((secret) => (stdout + stderr).includes(secret.trim()))).toEqual([]);
      expect(stdout + stderr).not.toMatch(/[0-9a-f]{64}/u);
    },
  );

  it.runIf(build !== undefined && run(build.check).status === 0)(
    "is built as it is published",
    { timeout: 180_000 },
    () => {
      const { status, stdout, stderr } = run(build?.command ?? "", { cwd: folder, env: environment() });
      expect({ status, output: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, output: "" });
      expect(globSync(build?.file ?? "", { cwd: folder })).toHaveLength(1);
    },
  );
});

describe.each(languages)("the folder for $name", ({ name, metadata }) => {
  const read = (file: string): string =>
    readFileSync(path.join(root, "packages/signature/verifiers", name, file), "utf8");

  it("has the licence of the project, and the version of the other packages", () => {
    expect(read("LICENSE")).toBe(readFileSync(path.join(root, "LICENSE"), "utf8"));
    // The version of a Go module is its tag.
    if (name === "go") return;
    expect(read(metadata)).toContain(version);
    expect(read(metadata)).toContain("MIT");
  });

  it("has a readme that names each code, several secrets, the clock and `hookwright verify`", () => {
    const readme = read("README.md");
    const codes = [...own.matchAll(/^\| \d{3} \| (.*?) \|/gmu)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)`/gu)].map(([, code]) => code),
    );
    expect(codes.length).toBeGreaterThan(9);
    // The types of Rust permit no body that is not bytes.
    const missing = codes.filter((code) => !readme.includes(`\`${code}\``));
    expect(missing).toEqual(name === "rust" ? ["body_not_raw"] : []);
    expect(readme).toMatch(/several secrets/u);
    expect(readme).toMatch(/your clock/u);
    expect(readme).toContain("`hookwright verify`");
  });
});
