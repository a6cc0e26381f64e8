import { spawn } from "node:child_process";
import process from "node:process";
import { throwIfInterrupted, trackChild } from "./children.mjs";

/**
 * Runs a program to its end and keeps what it prints.
 *
 * It leads a process group of its own: a signal for us then reaches what it has started as well, which `sh -c` would leave behind.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, shell?: boolean }} options
 * @returns {Promise<{ code: number, output: string }>} Rejects when the program cannot be started, or this run was told to end.
 */
export async function runCommand(command, args, { cwd, env, shell = false }) {
  throwIfInterrupted();
  const detached = process.platform !== "win32";
  const child = spawn(command, args, {
    cwd,
    env,
    shell,
    detached,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const untrack = trackChild((signal) => killGroup(child, detached, signal));
  let output = "";
  const keep = (/** @type {string} */ text) => void (output += text);
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  try {
    const code = await new Promise((/** @type {(code: number) => void} */ resolve, reject) => {
      child.once("error", reject);
      child.once("close", (ended) => resolve(ended ?? 1));
    });
    throwIfInterrupted();
    return { code, output };
  } finally {
    untrack();
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {boolean} detached
 * @param {NodeJS.Signals} signal
 */
function killGroup(child, detached, signal) {
  try {
    if (detached && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended in the meantime.
  }
}
