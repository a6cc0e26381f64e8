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
  if (isAdopted(watched)) {
    onGone();
    return () => {};
  }
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
  return shell && SHELLS.has(shell.name) && shell.parent > 0 ? [parent, shell.parent] : [parent];
}

/**
 * Was it dead before we looked for the first time? The kernel has then put another in its place: the first process, or one of another
 * session that takes in what is left over, as systemd does for a user. npm itself may be the first process, in a container; but it
 * starts what it runs in its own process group and session.
 *
 * @param {readonly number[]} watched
 */
function isAdopted(watched) {
  const own = describeProcess(process.pid);
  const launcher = describeProcess(watched.at(-1) ?? 0);
  if (own === undefined || launcher === undefined) return false;
  // Led by us or by the shell above: whoever started it made a group of it on purpose, and is not npm.
  if (own.group === process.pid || own.group === process.ppid) return false;
  return own.group !== launcher.group && (launcher.id === 1 || own.session !== launcher.session);
}

/**
 * @param {number} id
 * @returns {{ id: number, name: string, parent: number, group: number, session: number | undefined } | undefined}
 */
function describeProcess(id) {
  if (process.platform === "win32") return undefined;
  try {
    if (process.platform === "linux") {
      // proc(5): `pid (comm) state ppid pgrp session …`; the name may itself contain parentheses.
      const [, name, ...numbers] =
        /^\d+ \((.*)\) \S (\d+) (\d+) (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
      const [parent = 0, group = 0, session] = numbers.map(Number);
      return name === undefined ? undefined : { id, name, parent, group, session };
    }
    const [, parent, group, name] =
      /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(
        execFileSync("ps", ["-o", "ppid=,pgid=,comm=", "-p", String(id)], { encoding: "utf8" }).trim(),
      ) ?? [];
    if (name === undefined) return undefined;
    const plainName = path.basename(name).replace(/^-/, "");
    return { id, name: plainName, parent: Number(parent), group: Number(group), session: undefined };
  } catch {
    return undefined;
  }
}
