import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import process from "node:process";

export interface Program {
  /** What Node is given: options of its own, the file, and arguments. */
  readonly words: readonly string[];
  /** @default that of the tests */
  readonly folder?: string;
  /** In place of the variables of these names; undefined takes one away. `PORT` is added. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface RunningProgram extends AsyncDisposable {
  readonly origin: string;
  /** Everything it has printed so far, errors too. */
  readonly printed: () => string;
  /** Sends a signal, SIGTERM unless another is given, and answers how it ended. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts a server as its user would, on a free port, and waits until it prints its address. */
export async function startProgram(program: Program): Promise<RunningProgram> {
  const port = await findFreePort();
  try {
    return await start(program, port);
  } catch (error) {
    // Between finding it and listening, another test may have been given the same port.
    if (!String(error).includes("EADDRINUSE")) throw error;
    return startProgram(program);
  }
}

async function start({ words, folder, environment }: Program, port: number): Promise<RunningProgram> {
  const child = spawn(process.execPath, words, {
    cwd: folder,
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
    child.once("exit", () => reject(new Error(`${words.join(" ")} ended before it listened:\n${printed}`)));
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
