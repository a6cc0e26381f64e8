import { spawn } from "node:child_process";
import process from "node:process";
import { throwIfInterrupted, trackChild } from "./children.mjs";

const LEASH = new URL("leash.mjs", import.meta.url).href;

/**
 * Runs a Node program on our terminal, in our process group, and answers how it ended.
 *
 * @param {{ node: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export async function runTarget({ node, args, cwd, env }) {
  throwIfInterrupted();
  const child = spawn(node, ["--import", LEASH, ...args], {
    cwd,
    env: { ...env, HOOKWRIGHT_LEASH: String(process.pid) },
    stdio: "inherit",
  });
  const untrack = trackChild((signal) => child.kill(signal));
  return new Promise((/** @type {(ended: { code: number | null, signal: NodeJS.Signals | null }) => void} */ resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ code, signal }));
  }).finally(untrack);
}
