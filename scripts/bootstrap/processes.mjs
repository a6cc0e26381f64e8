import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import process from "node:process";
import { ROOT } from "./workspace.mjs";

const POLL_MS = 250;
const LEASH = new URL("leash.mjs", import.meta.url).href;

/** Ends a run after a signal. Nothing is printed for it. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`ended by ${signal}`);
    this.name = "Interrupted";
    this.signal = signal;
  }
}

/** @typedef {{ code: number | null, signal?: NodeJS.Signals | null }} Exit */

/** Functions that send a signal to a running child. @type {Map<(signal: NodeJS.Signals) => void, Promise<unknown>>} */
const children = new Map();

/** @type {NodeJS.Signals | undefined} */
let interruptedBy;

/** Passes SIGINT, SIGTERM and SIGHUP on to the children, and the death of npm as SIGTERM. */
export function forwardSignals() {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, interrupt);
  if (process.env["npm_lifecycle_event"] === undefined) return;
  // npm sends SIGTERM only to its shell, which dies without passing it on. The kernel then gives us another parent.
  const parent = process.ppid;
  const launchers = [parent, ...findGrandparent(parent)];
  const timer = setInterval(() => {
    if (process.ppid === parent && launchers.every(isAlive)) return;
    clearInterval(timer);
    interrupt("SIGTERM");
  }, POLL_MS).unref();
}

/** The npm behind the shell that it runs us in. Only Linux has /proc; elsewhere the shell usually is replaced by us. @param {number} shell */
function findGrandparent(shell) {
  try {
    // proc(5): `pid (name) state ppid …`
    const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${shell}/stat`, "utf8")) ?? [];
    const isShell = /^\S+sh$|^sh$/.test(readFileSync(`/proc/${shell}/comm`, "utf8").trim());
    return isShell ? [Number(parent)] : [];
  } catch {
    return [];
  }
}

/** @param {NodeJS.Signals} signal */
function interrupt(signal) {
  interruptedBy ??= signal;
  if (children.size === 0) exitLike({ code: null, signal });
  for (const kill of children.keys()) kill(signal);
}

/** Ends the children of a failed run and waits for them. */
export async function endChildren() {
  for (const kill of children.keys()) kill("SIGTERM");
  await Promise.allSettled(children.values());
}

/**
 * Runs a program to its end. It has our terminal, or its output is captured.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, capture?: boolean, shell?: boolean }} [options]
 * @returns {Promise<Exit & { output: string }>}
 */
export async function run(
  command,
  args,
  { cwd = ROOT, env = process.env, capture = false, shell = false } = {},
) {
  if (interruptedBy !== undefined) throw new Interrupted(interruptedBy);
  // In a process group of its own, so that a signal reaches what the program has started.
  const detached = capture && process.platform !== "win32";
  /** @type {import("node:child_process").StdioOptions} */
  const stdio = capture ? ["ignore", "pipe", "pipe"] : "inherit";
  const child = spawn(command, args, { cwd, env, shell, detached, stdio, windowsHide: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (/** @type {string} */ text) => void (output += text));
  const kill = (/** @type {NodeJS.Signals} */ signal) => {
    try {
      if (detached && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has ended in the meantime.
    }
  };
  const ended = new Promise((/** @type {(exit: Exit) => void} */ resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  children.set(kill, ended);
  try {
    const exit = await ended;
    if (capture && interruptedBy !== undefined) throw new Interrupted(interruptedBy);
    return { ...exit, output };
  } finally {
    children.delete(kill);
  }
}

/**
 * Runs a Node program that ends when this process ends, even by SIGKILL.
 *
 * @param {string} node
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} options
 */
export function runNode(node, args, { env = process.env, ...options } = {}) {
  const leashed = { ...env, HOOKWRIGHT_LEASH: String(process.pid) };
  return run(node, ["--import", LEASH, ...args], { ...options, env: leashed });
}

/** Ends this process in the same way as a child ended. @param {Exit} exit */
export function exitLike({ code, signal }) {
  if (signal === null || signal === undefined) process.exit(code ?? 1);
  process.exitCode = 128 + os.constants.signals[signal];
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container is not ended by its own signals.
  setTimeout(() => process.exit(), 1_000);
}

/** @param {number} processId */
export function isAlive(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
