import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";

const sources = new URL("../../../reference-server/test/support/resolve-sources.ts", import.meta.url);

export interface RunningExample extends AsyncDisposable {
  readonly origin: string;
  /** Everything it has printed so far, errors too. */
  readonly printed: () => string;
  /** Sends a signal, SIGTERM unless another is given, and answers how it ended. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts an example as a reader would, on a free port, and waits until it prints its address. */
export async function startExample(
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningExample> {
  const port = await findFreePort();
  try {
    return await start(name, environment, port);
  } catch (error) {
    // Between finding it and listening, another test may have been given the same port.
    if (!String(error).includes("EADDRINUSE")) throw error;
    return startExample(name, environment);
  }
}

async function start(
  name: string,
  environment: Readonly<Record<string, string>>,
  port: number,
): Promise<RunningExample> {
  const file = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ["--import", sources.href, file], {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const origin = `http://127.0.0.1:${port}`;
  const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  const listening = new Promise<void>((resolve, reject) => {
    const keep = (text: string): void => {
      printed += text;
      if (printed.includes(origin)) resolve();
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.once("exit", () => reject(new Error(`${name} ended before it listened:\n${printed}`)));
  });
  const stop = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  await listening;
  return {
    origin,
    printed: () => printed,
    stop: (signal = "SIGTERM") => stop(signal),
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("a TCP server has a port");
  return address.port;
}
