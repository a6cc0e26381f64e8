import { spawnSync } from "node:child_process";
import { cpSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeFolder } from "./support/make-folder.ts";
import { body, deliver, event, secret } from "./support/deliver.ts";
import { readGuide } from "./support/read-guide.ts";
import { startProgram } from "./support/start-program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = globSync("docs/guide/receivers/*.md", { cwd: root });

interface Receiver {
  readonly name: string;
  /** The files of the page and of the verifier. Readers save them in one folder. */
  readonly files: readonly string[];
  /** A folder of the repository that readers copy, and its name there. */
  readonly copied?: readonly [from: string, to: string];
  readonly command: string;
  readonly args: readonly string[];
  /** Exits with 0 where the language and the framework are installed. */
  readonly check: readonly string[];
}

const python = (name: string, file: string, modules: string): Receiver => ({
  name,
  files: ["packages/signature/verifiers/python/hookwright_signature.py", `docs/examples/receivers/${file}`],
  // The Python of the system has the frameworks, if its packages are installed.
  command: "/usr/bin/python3",
  args: ["-B", file],
  check: ["-c", `import ${modules}`],
});

const receivers: readonly Receiver[] = [
  python("Flask", "flask_app.py", "flask"),
  python("Django", "django_app.py", "django"),
  python("FastAPI", "fastapi_app.py", "fastapi, uvicorn"),
  {
    name: "Go",
    files: ["docs/examples/receivers/go.mod", "docs/examples/receivers/main.go"],
    copied: ["packages/signature/verifiers/go", "signature"],
    command: "go",
    args: ["run", "."],
    check: ["version"],
  },
  {
    name: "PHP",
    files: [
      "packages/signature/verifiers/php/src/SignatureError.php",
      "packages/signature/verifiers/php/src/Verifier.php",
      "docs/examples/receivers/index.php",
    ],
    command: "php",
    args: ["-S", "127.0.0.1:{port}", "index.php"],
    check: ["--version"],
  },
];

const isInstalled = ({ command, check }: Receiver): boolean => spawnSync(command, check).status === 0;
const installed = receivers.filter(isInstalled);
for (const { name } of receivers.filter((receiver) => !installed.includes(receiver)))
  process.stderr.write(`The receiver for ${name} is not installed. Its test did not run.\n`);

it("with CI=true at least one receiver of the pages is tried", () => {
  expect(process.env["CI"] === "true" ? installed.length : 1).toBeGreaterThan(0);
});

describe.each(installed)("the receiver for $name", { tags: ["long"] }, ({ command, args, files, copied }) => {
  it("accepts signed deliveries and tests, and refuses everything else", { timeout: 120_000 }, async () => {
    const folder = await makeFolder();
    for (const file of files) cpSync(path.join(root, file), path.join(folder, path.basename(file)));
    if (copied !== undefined)
      cpSync(path.join(root, copied[0]), path.join(folder, copied[1]), { recursive: true });
    // `go run` builds in GOTMPDIR.
    const environment = { WEBHOOK_SECRET: `whsec_new,${secret}`, GOTMPDIR: folder };
    await using server = await startProgram({ command, args, folder, environment });
    const url = `${server.origin}/webhooks`;
    const spaced = JSON.stringify({ ...event, id: "spaced", note: "Grüße 🥐" }, null, 1);
    await expect.poll(() => deliver(fetch, url).catch(String)).toBe(204);
    expect(await deliver(fetch, url, { signed: spaced })).toBe(204);
    expect(
      await deliver(fetch, url, { test: true, signed: JSON.stringify({ ...event, id: "a test" }) }),
    ).toBe(204);
    expect(await deliver(fetch, url, { sent: `${body} ` })).toBe(401);
    expect(await deliver(fetch, url, { sent: JSON.stringify(event, null, 2) })).toBe(401);
    expect(await deliver(fetch, url, { timestamp: 1 })).toBe(401);
    const unsigned = await fetch(url, { method: "POST", body });
    expect([unsigned.status, await unsigned.text()]).toEqual([401, "missing_header"]);
    await expect.poll(() => server.printed()).toContain("missing_header: no x-service-timestamp");
    expect(server.printed()).not.toContain(secret);
    await expect.poll(() => server.printed()).toContain("spaced");
    expect(server.printed()).toContain(event.id);
    expect(server.printed()).not.toContain("a test");
    // Nothing is left running: the program of `go run` is a process of its own.
    await server[Symbol.asyncDispose]();
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });
});

it.each(pages)("%s shows its files as they are", (page) => {
  const blocks = readGuide(new URL(`../../${page}`, import.meta.url));
  const shown = blocks.filter(({ file }) => file !== undefined);
  for (const { file = "", code } of shown) expect(code).toBe(readFileSync(path.join(root, file), "utf8"));
  expect(blocks.length).toBeGreaterThan(0);
});

it("every page that has code that no test runs says so", () => {
  const unmarked = pages.filter((page) => {
    const text = readFileSync(path.join(root, page), "utf8");
    const isRun = (file: string) => receivers.some(({ files }) => files.includes(file));
    const blocks = readGuide(new URL(`../../${page}`, import.meta.url)).filter(
      ({ language, code }) => language !== "sh" && !code.startsWith("gem "),
    );
    const notRun = blocks.some(({ file }) => file === undefined || !isRun(file));
    return notRun && !/not run by (?:a|the)|No code on this page is run/iu.test(text);
  });
  expect(unmarked).toEqual([]);
});

it.each([...pages, "docs/guide/receiving.md"])(
  "%s names `hookwright verify`, several secrets and the clock",
  (page) => {
    const text = readFileSync(path.join(root, page), "utf8");
    expect(text).toContain("hookwright verify");
    expect(text).toMatch(/several secrets/iu);
    expect(text).toContain("WEBHOOK_SECRET=whsec_old,whsec_new");
    expect(text).toMatch(/the clock[\s\S]*300 seconds/iu);
  },
);
