import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The build that users run. Vitest makes it current before the tests. */
const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface FinishedProcess {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  readonly stdout: string;
  readonly exited: Promise<FinishedProcess>;
}

/** The command that runs the build. */
export function toCommand(commandLine: readonly string[]): [program: string, ...rest: string[]] {
  return [process.execPath, main, ...commandLine];
}

/** Starts the command line as a real process. Its output is a pipe. */
export function startProcess(
  commandLine: readonly string[],
  { env = {}, input = "" }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): RunningProcess {
  const [program, ...rest] = toCommand(commandLine);
  const child = spawn(program, rest, {
    env: { PATH: process.env["PATH"] ?? "", XDG_CONFIG_HOME: "/nonexistent", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.end(input);
  const exited = new Promise<FinishedProcess>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    get stdout() {
      return stdout;
    },
    exited,
  };
}

export function runProcess(...parameters: Parameters<typeof startProcess>): Promise<FinishedProcess> {
  return startProcess(...parameters).exited;
}
