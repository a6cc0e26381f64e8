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
  const leashed = onLeash(args, env);
  const child = spawn(node, leashed.args, { cwd, env: leashed.env, stdio: "inherit" });
  const untrack = trackChild((signal) => child.kill(signal));
  return new Promise(
    (
      /** @type {(ended: { code: number | null, signal: NodeJS.Signals | null }) => void} */ resolve,
      reject,
    ) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve({ code, signal }));
    },
  ).finally(untrack);
}

/**
 * The arguments and the environment with which a Node program ends when we are killed.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function onLeash(args, env) {
  return { args: ["--import", LEASH, ...args], env: { ...env, HOOKWRIGHT_LEASH: String(process.pid) } };
}
