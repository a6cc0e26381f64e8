import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { findFreePort } from "../../../packages/storage/test/support/free-port.ts";

export interface Program {
  /** @default Node */
  readonly command?: string;
  /** The arguments: of Node options, the file, and the arguments of the program. `{port}` becomes the port. */
  readonly args: readonly string[];
  /** The working directory. @default the working directory of the tests */
  readonly folder?: string;
  /** Overrides environment variables. Undefined removes a variable. `PORT` is added. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** @default a free port */
  readonly port?: number;
}

export interface RunningProgram extends AsyncDisposable {
  readonly origin: string;
  /** The output so far, including stderr. */
  readonly printed: () => string;
  /** Sends a signal and returns the exit code and signal. @default SIGTERM */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts a server on a free port and waits until it prints its address. */
export async function startProgram(program: Program): Promise<RunningProgram> {
  const port = program.port ?? (await findFreePort());
  try {
    return await start(program, port);
  } catch (error) {
    // Another test may have taken the port meanwhile.
    if (program.port !== undefined || !String(error).includes("EADDRINUSE")) throw error;
    const started = await startProgram(program);
    // The first try may have printed what is printed only once, such as an API key.
    return { ...started, printed: () => `${String(error)}\n${started.printed()}` };
  }
}

const running = new Set<ChildProcess>();
// A test process that ends early must not leave programs behind.
process.once("exit", () => running.forEach(killGroup));

/** Kills a program and the programs that it started: `go run` leaves its program running. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}

async function start(
  { command = process.execPath, args, folder, environment }: Program,
  port: number,
): Promise<RunningProgram> {
  const withPort = args.map((argument) => argument.replace("{port}", String(port)));
  const child = spawn(command, withPort, {
    cwd: folder,
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own.
    detached: process.platform !== "win32",
  });
  running.add(child);
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
    child.once("exit", () => reject(new Error(`${args.join(" ")} exited before it listened:\n${printed}`)));
  });
  await listening;
  return {
    origin,
    printed: () => printed,
    stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      killGroup(child);
      running.delete(child);
      await ended;
    },
  };
}
