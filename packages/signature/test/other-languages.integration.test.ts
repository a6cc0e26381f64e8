import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const vectors = fileURLToPath(new URL("../test-vectors.json", import.meta.url));

interface Language {
  readonly command: string;
  readonly version: string;
  readonly run: readonly string[];
  /** The file that checks the vectors. For Go also the verifier, which Python finds itself. */
  readonly program: readonly string[];
  /** Go is optional. Python is required. */
  readonly required: boolean;
}

const languages: Language[] = [
  // -B, so that Python writes no compiled files next to the sources.
  { command: "python3", version: "--version", run: ["-B"], program: ["check_vectors.py"], required: true },
  {
    command: "go",
    version: "version",
    run: ["run"],
    program: ["check_vectors.go", "verify.go"],
    required: false,
  },
];

const isInstalled = ({ command, version }: Language): boolean => spawnSync(command, [version]).status === 0;
const installed = languages.filter(isInstalled);
const missing = languages.filter((language) => !installed.includes(language));
for (const { command } of missing)
  console.info(`notice: the test vectors were not tried with ${command}, which is not installed`);

it("with CI=true all required languages are installed", () => {
  const required = missing.filter((language) => language.required && process.env["CI"] === "true");
  expect(required).toEqual([]);
});

it.each(installed)(
  "a verifier written for $command agrees on every vector",
  ({ command, run, program }) => {
    const files = program.map((name) => fileURLToPath(new URL(`other-languages/${name}`, import.meta.url)));
    const { status, stdout, stderr } = spawnSync(command, [...run, ...files, vectors], { encoding: "utf8" });
    expect(stdout + stderr).toMatch(/^\d+ vectors, 0 wrong$/m);
    expect(status).toBe(0);
  },
  // The first `go run` compiles the standard library.
  180_000,
);
