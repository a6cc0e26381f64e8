import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

export interface Runtime {
  readonly name: string;
  /** The program on the path. */
  readonly program: string;
  /** What it printed of the verdict. */
  run(program: string): Promise<string>;
}

const run = promisify(execFile);

/** One module with everything in it, as a receiver would bundle it; answers its text. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`${entry}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
  });
  return outputFiles[0]?.text ?? "";
}

/** A folder with these files, for as long as `use` runs. */
async function withFiles<Result>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "hookwright-runtime-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function asScript(...words: string[]): Runtime["run"] {
  return async (program) =>
    withFiles({ "suite.mjs": await bundle("print") }, async (folder) => {
      const { stdout } = await run(program, [...words, join(folder, "suite.mjs")]);
      return stdout;
    });
}

async function inChromium(program: string): Promise<string> {
  const script = await bundle("page");
  const server = createServer((request, response) => {
    const isScript = request.url === "/suite.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : '<body><script type="module" src="/suite.js"></script></body>');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
  try {
    const flags = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--virtual-time-budget=10000",
      "--dump-dom",
    ];
    const { stdout } = await run(program, [...flags, url]);
    return /\{.*\}/u.exec(stdout)?.[0] ?? stdout;
  } finally {
    server.close();
  }
}

/** The runtime of Cloudflare's Workers. It listens, and says where on the file descriptor that it is given. */
async function inWorkerd(program: string): Promise<string> {
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "suite", esModule = embed "suite.mjs")], compatibilityDate = "2025-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);`;
  return withFiles({ "suite.mjs": await bundle("worker"), "config.capnp": config }, async (folder) => {
    const child = spawn(program, ["serve", "--control-fd=3", join(folder, "config.capnp")], {
      stdio: ["ignore", "inherit", "inherit", "pipe"],
    });
    try {
      const [control] = child.stdio.slice(3);
      if (control === null || control === undefined) throw new Error("there is no pipe to be told by");
      const [line] = await once(control, "data");
      const { port } = JSON.parse(String(line));
      return await (await fetch(`http://127.0.0.1:${port}/`)).text();
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
}

/** Where receivers run. Those that are not on the path are left out, which is said in one line. */
export const runtimes: readonly Runtime[] = [
  { name: "Node", program: process.execPath, run: asScript() },
  { name: "Deno", program: "deno", run: asScript("run", "--no-config") },
  { name: "Bun", program: "bun", run: asScript() },
  { name: "Workers", program: "workerd", run: inWorkerd },
  { name: "Chromium", program: "chromium", run: inChromium },
].filter(({ name, program }) => {
  if (spawnSync(program, ["--version"]).status === 0) return true;
  process.stderr.write(
    `There is no ${program} on the path: what receivers on ${name} run was not run there.\n`,
  );
  return false;
});
