import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { BootstrapError } from "../bootstrap/bootstrap-error.mjs";
import { trackChild } from "../bootstrap/children.mjs";

const START_MS = 60_000;
const PRINT_MS = 5_000;
const POLL_MS = 50;

/**
 * @typedef {{
 *   origin: string,
 *   printed: () => string,
 *   waitFor: (pattern: RegExp) => Promise<RegExpExecArray | undefined>,
 *   stop: () => Promise<void>,
 * }} RunningServer `waitFor`: resolves once it has printed that, or undefined where it does not.
 */

/**
 * Starts a server as its user does, with a free port as `PORT`.
 *
 * @param {{ node: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<RunningServer>} Once it answers.
 */
export async function startServer(options) {
  const { node, args, cwd, env } = options;
  const port = await findFreePort();
  const child = spawn(node, args, {
    cwd,
    env: { ...env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const keep = (/** @type {string} */ text) => void (printed += text);
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const untrack = trackChild((signal) => child.kill(signal));
  const ended = new Promise((/** @type {(value: void) => void} */ resolve) =>
    child.once("close", () => resolve()),
  ).finally(untrack);
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  const waitFor = async (/** @type {RegExp} */ pattern) => {
    const deadline = Date.now() + PRINT_MS;
    while (!pattern.test(printed) && Date.now() < deadline) await delay(POLL_MS);
    return pattern.exec(printed) ?? undefined;
  };
  const origin = `http://127.0.0.1:${port}`;
  if (await answers(child, origin)) return { origin, printed: () => printed, waitFor, stop };
  await stop();
  // Another process may have taken the port in the meantime.
  if (printed.includes("EADDRINUSE")) return startServer(options);
  throw new BootstrapError(`${args.at(-1)} did not start.`, { output: printed.trim() });
}

/** @param {import("node:child_process").ChildProcess} child @param {string} origin */
async function answers(child, origin) {
  const deadline = Date.now() + START_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    try {
      await fetch(origin);
      return true;
    } catch {
      await delay(POLL_MS);
    }
  }
  return false;
}

/** @returns {Promise<number>} */
function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once("error", reject)
      .listen(0, "127.0.0.1", () => {
        const address = server.address();
        server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
      });
  });
}
