import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import process from "node:process";
import { endWith } from "./leash.mjs";
import { ROOT } from "./workspace.mjs";

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
  // npm sends SIGTERM only to its shell, which dies without passing it on.
  if (process.env["npm_lifecycle_event"] !== undefined) endWith(process.ppid, findNpm(process.ppid));
}

/** The npm behind the shell that it runs us in. Only Linux has /proc; elsewhere the shell usually is replaced by us. @param {number} shell */
function findNpm(shell) {
  try {
    // proc(5): `pid (name) state ppid …`
    const [, name = "", npm] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${shell}/stat`, "utf8")) ?? [];
    return /^\S*sh$/.test(name) ? [Number(npm)] : [];
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
export async function run(command, args, { capture = false, ...options } = {}) {
  if (interruptedBy !== undefined) throw new Interrupted(interruptedBy);
  // In a process group of its own, so that a signal reaches what the program has started.
  const detached = capture && process.platform !== "win32";
  /** @type {import("node:child_process").StdioOptions} */
  const stdio = capture ? ["ignore", "pipe", "pipe"] : "inherit";
  const child = spawn(command, args, { cwd: ROOT, ...options, detached, stdio, windowsHide: true });
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
  const leash = ["--import", new URL("leash.mjs", import.meta.url).href];
  return run(node, [...leash, ...args], {
    ...options,
    env: { ...env, HOOKWRIGHT_LEASH: String(process.pid) },
  });
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
