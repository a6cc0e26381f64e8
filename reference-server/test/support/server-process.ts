import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface ServerProcessOptions {
  /** The arguments of `hookwright`. @default ["serve"] */
  readonly args?: readonly string[];
  /**
   * Added to `PORT=0`, JSON log lines and a compile cache. Only `PATH` is passed on from this process's environment.
   */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The working directory, where `file:.hookwright` is. @default a new temporary directory, removed with the process
   */
  readonly directory?: string;
  /** The limit of open files, including sockets. @default the same as this process */
  readonly openFiles?: number;
  /** The id of the user and the group, which root may choose. @default those of this process */
  readonly user?: number;
  /** A command that runs the server, such as `unshare`. */
  readonly launcher?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerProcess extends AsyncDisposable {
  /** The URL of the server. */
  readonly url: string;
  readonly pid: number;
  readonly directory: string;
  /** All output so far. */
  readonly stdout: string;
  readonly stderr: string;
  readonly exited: Promise<Exit>;
  /** Resolves with the match when standard output contains it. Rejects if the process exits before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<Exit>;
  /** Sends SIGKILL and waits for the exit, as in a crash or a power failure. */
  kill9(): Promise<Exit>;
}

export interface FinishedProcess extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** The build that users run. Vitest makes it current before the tests. */
const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
/** A cache of the compiled program. It shortens a start by a third. */
export const compileCache = fileURLToPath(
  new URL("../../../node_modules/.cache/servers-under-test", import.meta.url),
);

const running = new Set<ChildProcess>();
// A test process that ends early, for example by a timeout, must not leave servers behind.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a real server process and resolves when it listens. */
export async function startServer(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const server = await spawnServer(options);
  try {
    const [, url = ""] = await server.waitFor(/"msg":"listening","url":"([^"]+)"/u);
    return Object.assign(server, { url });
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Runs a command that exits by itself. */
export async function runToEnd(options: ServerProcessOptions): Promise<FinishedProcess> {
  await using server = await spawnServer(options);
  const exit = await server.exited;
  return { ...exit, stdout: server.stdout, stderr: server.stderr };
}

/** Starts a command without waiting for anything. */
export async function spawnServer({
  args = ["serve"],
  env = {},
  directory,
  openFiles,
  user,
  launcher = [],
}: ServerProcessOptions): Promise<ServerProcess> {
  const temporary = directory === undefined ? await mkdtemp(join(tmpdir(), "hookwright-server-")) : undefined;
  const cwd = directory ?? temporary ?? "";
  // Another user may not be able to read the Node of this one.
  const asUser = `process.setgroups([]); process.setgid(${user}); process.setuid(${user});
    process.argv.splice(1, 0, "hookwright"); await import(${JSON.stringify(pathToFileURL(main))});`;
  const start = user === undefined ? [main] : ["--input-type=module", "--eval", asUser, "--"];
  const command = [...launcher, process.execPath, ...start, ...args];
  const [program = "", ...rest] =
    openFiles === undefined ? command : ["sh", "-c", `ulimit -n ${openFiles}; exec "$0" "$@"`, ...command];
  const child = spawn(program, rest, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_COMPILE_CACHE: compileCache,
      PORT: "0",
      HOOKWRIGHT_LOG: "json",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let stdout = "";
  let stderr = "";
  const onOutput = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    onOutput.forEach((look) => look());
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once("error", reject);
    // `close` comes after the last output, but `exit` may come before it.
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });

  function waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(stdout);
        if (match === null) return;
        onOutput.delete(look);
        resolve(match);
      };
      onOutput.add(look);
      look();
      void exited.then(({ code }) => {
        onOutput.delete(look);
        reject(new Error(`the server ended with ${code} before it wrote ${pattern}:\n${stdout}${stderr}`));
      }, reject);
    });
  }

  function end(signal: NodeJS.Signals): Promise<Exit> {
    child.kill(signal);
    return exited;
  }

  return {
    url: "",
    pid: child.pid ?? -1,
    directory: cwd,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    exited,
    waitFor,
    signal: (signal) => void child.kill(signal),
    stop: () => end("SIGTERM"),
    kill9: () => end("SIGKILL"),
    async [Symbol.asyncDispose]() {
      if (running.has(child)) await end("SIGKILL");
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    },
  };
}
