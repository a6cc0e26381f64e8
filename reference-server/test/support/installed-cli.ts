import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { packPackages } from "../../../scripts/packing/pack-packages.mjs";
import { readWorkspace } from "../../../scripts/bootstrap/workspace.mjs";

export interface FinishedCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  /** The JSON documents printed so far, one per line. */
  rows(): readonly Row[];
  /** All output so far. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  readonly exited: Promise<FinishedCommand>;
}

export type Row = Readonly<Record<string, unknown>>;

export interface InstalledCli extends AsyncDisposable {
  readonly folder: string;
  /** The names of all installed packages. */
  readonly packages: readonly string[];
  /** A user of the installed program with a home of its own. */
  openHome(): Promise<CliHome>;
}

export interface CliHome {
  readonly folder: string;
  start(commandLine: readonly string[], environment?: Readonly<Record<string, string>>): RunningCommand;
  run(
    commandLine: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<FinishedCommand>;
}

/** Packs the command line, and installs it in an empty folder as a newcomer does. */
export async function installCli(): Promise<InstalledCli> {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-newcomer-"));
  const workspace = readWorkspace().filter(({ name }) => name === "@hookwright/cli");
  const packed = await packPackages({ folder: path.join(folder, "packed"), workspace });
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true }));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const installed = await run(
    npm,
    ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packed.values()],
    { cwd: folder, env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" } },
  );
  if (installed.code !== 0) throw new Error(`npm install failed:\n${installed.stderr}`);
  const main = path.join(folder, "node_modules/.bin/hookwright");
  return {
    folder,
    packages: await listPackages(path.join(folder, "node_modules")),
    async openHome() {
      const home = await mkdtemp(path.join(folder, "home-"));
      const start: CliHome["start"] = (commandLine, environment = {}) =>
        startProcess(main, commandLine, {
          cwd: home,
          env: { PATH: process.env["PATH"] ?? "", HOME: home, XDG_CONFIG_HOME: home, ...environment },
        });
      return { folder: home, start, run: (...parameters) => start(...parameters).exited };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function listPackages(modules: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(modules)) {
    if (name.startsWith(".")) continue;
    if (!name.startsWith("@")) names.push(name);
    else for (const scoped of await readdir(path.join(modules, name))) names.push(`${name}/${scoped}`);
  }
  return names;
}

interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** ms after which it is ended. @default never */
  readonly timeout?: number;
}

function run(
  program: string,
  commandLine: readonly string[],
  options: ProcessOptions,
): Promise<FinishedCommand> {
  return startProcess(program, commandLine, options).exited;
}

export function startProcess(
  program: string,
  commandLine: readonly string[],
  options: ProcessOptions,
): RunningCommand {
  const child = spawn(program, commandLine, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = new Promise<FinishedCommand>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return {
    rows: () =>
      stdout
        .slice(0, stdout.lastIndexOf("\n") + 1)
        .split("\n")
        .filter((line) => line !== "")
        .map((line): Row => JSON.parse(line)),
    output: () => stdout + stderr,
    signal: (signal) => void child.kill(signal),
    exited,
  };
}
