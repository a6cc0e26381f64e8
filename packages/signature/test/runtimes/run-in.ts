import { execFile, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { build } from "esbuild";

export interface Suite {
  /** A module whose `judge` returns JSON. It is bundled as its users would bundle it. */
  readonly module: URL;
  /** The argument of `judge`, as JSON. */
  readonly argument?: unknown;
  /** Handles other requests to the page's server, in a browser. */
  readonly serve?: RequestListener;
}

export interface Runtime {
  readonly name: string;
  /** The program name. */
  readonly program: string;
  /** Returns the result of `judge` as JSON. */
  run(program: string, suite: Suite): Promise<string>;
}

const run = promisify(execFile);

/** The time limit of a program, shorter than that of the test, so that it is cleaned up. */
const timeout = 50_000;

/** Resolves when the program has ended. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

/** Bundles everything into one module. `use` is the code that receives the promise of the result. */
async function bundle({ module, argument = null }: Suite, use: string): Promise<string> {
  const path = JSON.stringify(fileURLToPath(module));
  const contents = `import { judge } from ${path};\nconst verdict = () => judge(${JSON.stringify(argument)});\n${use}`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    // Like a bundler for browsers. All runtimes can read its output.
    platform: "browser",
  });
  return outputFiles[0]?.text ?? "";
}

/** Creates a folder with these files while `use` runs. */
async function withFiles<Result>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "hookwright-runtime-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
}

/** Deno, Bun and Node run modules as scripts. */
function asScript(...words: string[]): Runtime["run"] {
  return async (program, suite) => {
    const script = await bundle(suite, "console.log(JSON.stringify(await verdict()));");
    return withFiles({ "suite.mjs": script }, async (folder) => {
      const { stdout } = await run(program, [...words, join(folder, "suite.mjs")], { timeout });
      return stdout;
    });
  };
}

/** Runs a page that posts its result to its server. */
async function inChromium(program: string, suite: Suite): Promise<string> {
  // Report errors too, because the page has no visible console.
  const use = `const tell = (path, body) => fetch(path, { method: "POST", body });
await verdict().then((value) => tell("/verdict", JSON.stringify(value)), (error) => tell("/failure", String(error)));`;
  const script = await bundle(suite, use);
  const { promise: verdict, resolve, reject } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    if (request.url === "/") {
      response.setHeader("content-type", "text/html");
      response.end('<script type="module" src="/suite.js"></script>');
    } else if (request.url === "/suite.js") {
      response.setHeader("content-type", "text/javascript");
      response.end(script);
    } else if (request.url === "/verdict") {
      response.end();
      text(request).then(resolve, reject);
    } else if (request.url === "/failure") {
      response.end();
      text(request).then((message) => reject(new Error(message)), reject);
    } else if (suite.serve === undefined) response.writeHead(404).end();
    else suite.serve(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
  try {
    return await withFiles({}, async (folder) => {
      const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"];
      const child = spawn(program, [...flags, `--user-data-dir=${folder}`, url], {
        stdio: "ignore",
        timeout,
        // It leaves temporary files when it is ended.
        env: { ...process.env, TMPDIR: folder },
      });
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`${program} ended with ${code} before its verdict`)));
      try {
        return await verdict;
      } finally {
        await end(child, "SIGTERM");
      }
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Runs Cloudflare's Workers runtime. It reports its port on the given file descriptor. */
async function inWorkerd(program: string, suite: Suite): Promise<string> {
  const use = "export default { fetch: async () => Response.json(await verdict()) };";
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "suite", esModule = embed "suite.mjs")], compatibilityDate = "2025-01-01")),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`;
  return withFiles({ "suite.mjs": await bundle(suite, use), "config.capnp": config }, async (folder) => {
    const child = spawn(program, ["serve", "--control-fd=3", join(folder, "config.capnp")], {
      stdio: ["ignore", "inherit", "inherit", "pipe"],
      timeout,
    });
    const { promise: ended, reject } = Promise.withResolvers<never>();
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code} before its verdict`)));
    try {
      const [control] = child.stdio.slice(3);
      if (control === null || control === undefined) throw new Error("the control pipe is missing");
      const [line] = await Promise.race([once(control, "data"), ended]);
      const { port } = JSON.parse(String(line));
      const answer = await Promise.race([fetch(`http://127.0.0.1:${port}/`), ended]);
      if (!answer.ok) throw new Error(await answer.text());
      return await answer.text();
    } finally {
      await end(child, "SIGKILL");
    }
  });
}

/** Runtimes that are not installed are skipped with one line of output. */
export const runtimes: readonly Runtime[] = [
  { name: "Node", program: process.execPath, run: asScript() },
  { name: "Deno", program: "deno", run: asScript("run", "--no-config", "--allow-net") },
  { name: "Bun", program: "bun", run: asScript() },
  { name: "Workers", program: "workerd", run: inWorkerd },
  { name: "Chromium", program: "chromium", run: inChromium },
].filter(({ name, program }) => {
  if (spawnSync(program, ["--version"]).status === 0) return true;
  process.stderr.write(`There is no ${program} on the path: what runs on ${name} was not run there.\n`);
  return false;
});
