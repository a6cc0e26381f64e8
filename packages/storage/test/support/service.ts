import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program that serves tests, such as Redis. */
export interface Service {
  isRunning(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal, also to a stopped process, and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ServiceOptions {
  /** The name in errors. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** What it prints when it serves, or a request that it answers then. */
  readonly ready: RegExp | (() => Promise<unknown>);
  /** The signal that ends it if the test process ends early. @default "SIGKILL" */
  readonly lastSignal?: NodeJS.Signals;
  readonly account?: Account;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The user of a process. Empty: our own. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const running = new Map<ChildProcess, NodeJS.Signals>();
// A test process that ends early must stop its services.
process.once("exit", () => {
  for (const [child, signal] of running) child.kill(signal);
});

/** Starts a program, and resolves when it is ready. Otherwise it rejects with one sentence. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { name, program, args, ready, lastSignal = "SIGKILL", account, cwd, env } = options;
  const child = spawn(program, args, { ...account, cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  running.set(child, lastSignal);
  child.once("exit", () => running.delete(child));
  const isRunning = (): boolean => running.has(child);
  await new Promise<void>((resolve, reject) => {
    let output = "";
    const fail = (reason: string): void => {
      child.kill(lastSignal);
      running.delete(child);
      reject(new Error(`${name} does not start: ${reason}`));
    };
    child.once("error", ({ message }) => fail(message));
    // `close` comes after the last output.
    child.once("close", () => fail(toReason(output)));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output = `${output}${text}`.slice(-10_000);
        if (ready instanceof RegExp && ready.test(output)) resolve();
      });
    if (ready instanceof RegExp) return;
    const deadline = performance.now() + 10_000;
    const ask = (): void => {
      const retry = (error: unknown): void => {
        if (performance.now() > deadline) fail(String(error));
        else if (isRunning()) setTimeout(ask, 50);
      };
      ready().then(() => resolve(), retry);
    };
    ask();
  });
  return {
    isRunning,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      if (!isRunning()) return;
      const exited = once(child, "exit");
      child.kill("SIGCONT");
      child.kill(signal);
      await exited;
    },
  };
}

/** The line of an output that says why a program failed. */
export function toReason(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const findLast = (words: RegExp) => lines.findLast((line) => words.test(line));
  const reason = findLast(/address already in use/iu) ?? findLast(/error|fatal|emerg|fail|denied/iu);
  return (reason ?? lines.at(-1) ?? "it printed nothing").trim();
}

/** A new folder with these files, which this account owns and may enter: root may have a private temporary folder. */
export async function makeServiceFolder(
  prefix: string,
  account: Account = {},
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const parents = [tmpdir(), "/tmp", "/var/tmp"];
  for (const parent of parents) {
    const folder = await mkdtemp(join(parent, prefix));
    const paths = Object.keys(files).map((name) => join(folder, name));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const { uid, gid = 0 } = account;
    if (uid === undefined) return folder;
    for (const path of [folder, ...paths]) await chown(path, uid, gid);
    const { error, status } = spawnSync("test", ["-w", folder], { ...account, cwd: "/" });
    if (status === 0) return folder;
    await rm(folder, { recursive: true });
    if (error !== undefined) throw new Error(`User ${account.uid} cannot run programs: ${error.message}`);
  }
  throw new Error(
    `User ${account.uid} may not enter ${parents.join(", ")}: set TMPDIR to a folder that it may.`,
  );
}
