import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";

/** Starts a bundled Worker in Cloudflare's runtime on a free port. */
export async function startWorker({
  program,
  bundle,
  environment,
}: {
  /** The path of `workerd`. */
  readonly program: string;
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
}): Promise<AsyncDisposable & { readonly origin: string }> {
  const bindings = Object.entries(environment).map(([name, text]) => `(name = "${name}", text = "${text}")`);
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "${path.basename(bundle)}")],
    bindings = [${bindings.join(", ")}],
    compatibilityDate = "2025-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`;
  const file = path.join(path.dirname(bundle), "config.capnp");
  await writeFile(file, config);
  const child = spawn(program, ["serve", "--control-fd=3", file], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const ended = once(child, "exit");
  const failed = ended.then(([code]) => {
    throw new Error(`${program} ended with ${String(code)} before it listened`);
  });
  const [line] = await Promise.race([once(child.stdio[3] ?? child, "data"), failed]);
  failed.catch(() => {});
  const { port } = JSON.parse(String(line));
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
