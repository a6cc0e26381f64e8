import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const vectors = fileURLToPath(new URL("../test-vectors.json", import.meta.url));

interface Language {
  readonly command: string;
  readonly version: string;
  readonly run: readonly string[];
  /** The file that checks the vectors. For Go also the verifier, which Python finds itself. */
  readonly program: readonly string[];
  /** Python is required. The others are optional. */
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
  { command: "php", version: "--version", run: [], program: ["check_vectors.php"], required: false },
  { command: "ruby", version: "--version", run: [], program: ["check_vectors.rb"], required: false },
];

const isInstalled = ({ command, version }: Language): boolean => spawnSync(command, [version]).status === 0;
const installed = languages.filter(isInstalled);
const missing = languages.filter((language) => !installed.includes(language));
for (const { command } of missing)
  process.stderr.write(`The test vectors for ${command} did not run: it is not installed.\n`);

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

interface Vector {
  readonly name: string;
  readonly body: { readonly base64: string };
  readonly headers: readonly (readonly [string, string])[];
  readonly secrets: readonly string[];
  readonly toleranceSeconds: number;
  readonly now: number;
  readonly authentic: boolean;
}

/** The format that CheckVectors.java describes, because Java reads no JSON. */
function toLine(vector: Vector): string {
  const headers = vector.headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  const fields = [headers, vector.secrets.join("\n"), vector.toleranceSeconds, vector.now, vector.authentic];
  const encode = (field: unknown): string => Buffer.from(String(field)).toString("base64");
  return [encode(vector.name), vector.body.base64, ...fields.map(encode)].join(" ");
}

it.runIf(spawnSync("javac", ["-version"]).status === 0)(
  "a verifier written for Java agrees on every vector",
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), "hookwright-java-"));
    try {
      const sources = ["DeliveryVerifier.java", "CheckVectors.java"].map((name) =>
        fileURLToPath(new URL(`other-languages/${name}`, import.meta.url)),
      );
      const compiled = spawnSync("javac", ["-d", folder, ...sources], { encoding: "utf8" });
      expect(compiled.stderr).toBe("");
      const { vectors: list }: { vectors: Vector[] } = JSON.parse(readFileSync(vectors, "utf8"));
      const input = list.map(toLine).join("\n");
      const { stdout } = spawnSync("java", ["-cp", folder, "CheckVectors"], { encoding: "utf8", input });
      expect(stdout).toMatch(new RegExp(`^${list.length} vectors, 0 wrong$`, "mu"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  180_000,
);
