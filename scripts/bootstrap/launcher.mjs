import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { isAlive } from "./run-lock.mjs";

const POLL_MS = 250;
const SHELLS = new Set(["sh", "dash", "bash", "zsh", "ksh", "busybox", "ash"]);

/**
 * Calls `onGone` once the package manager that started this process is dead. npm hands SIGTERM to its `sh -c` alone and cannot
 * hand on SIGKILL at all; the kernel then gives us a new parent and no word of it, so we look.
 *
 * Without a package manager nobody is watched: under `nohup` or a service the parent may well go first.
 *
 * @param {() => void} onGone
 * @param {NodeJS.ProcessEnv} [env]
 */
export function watchLauncher(onGone, env = process.env) {
  if (env["npm_lifecycle_event"] === undefined) return () => {};
  const parent = process.ppid;
  const watched = findPackageManager(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && watched.every(isAlive)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS).unref();
  return () => clearInterval(timer);
}

/** Our parent, and its parent too where ours is only the shell between (not every `sh -c` execs its command). @param {number} parent */
function findPackageManager(parent) {
  const shell = describeProcess(parent);
  return shell && SHELLS.has(shell.name) && shell.parent > 1 ? [parent, shell.parent] : [parent];
}

/**
 * @param {number} processId
 * @returns {{ name: string, parent: number } | undefined}
 */
function describeProcess(processId) {
  if (process.platform === "win32") return undefined;
  try {
    if (process.platform === "linux") {
      // proc(5): `pid (comm) state ppid …`; the name may itself contain parentheses.
      const [, name, parent] =
        /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${processId}/stat`, "utf8")) ?? [];
      return name === undefined ? undefined : { name, parent: Number(parent) };
    }
    const [, parent, name] =
      /^\s*(\d+)\s+(.*)$/.exec(
        execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(processId)], { encoding: "utf8" }).trim(),
      ) ?? [];
    return name === undefined
      ? undefined
      : { name: path.basename(name).replace(/^-/, ""), parent: Number(parent) };
  } catch {
    return undefined;
  }
}
