import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { trackChild } from "../bootstrap/children.mjs";
import { runCommand } from "../bootstrap/run-command.mjs";
import { programOf } from "./read-guide.mjs";

const START_MS = 60_000;
const POLL_MS = 50;

/**
 * @typedef {{
 *   origin: string,
 *   environment: Record<string, string>,
 *   printed: () => string,
 *   stop: () => Promise<void>,
 * }} StartedServer `environment`: the variables that the guide's command sets.
 */

/**
 * Saves the files of a guide in a new folder, and starts one of them with the command that the guide gives for a server.
 *
 * @param {{
 *   guide: import("./read-guide.mjs").Guide,
 *   server: string,
 *   folder: string,
 *   node: string,
 *   env: NodeJS.ProcessEnv,
 * }} options
 * @returns {Promise<StartedServer>} Once it listens.
 */
export async function startAsTold({ guide, server, folder, node, env }) {
  for (const { name, code } of guide.files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  for (const command of guide.commands.filter((each) => /^(?:echo|printf)$/.test(programOf(each))))
    await runCommand(command, [], { cwd: folder, env, shell: true });

  const { environment, options } = readStartCommand(guide);
  const port = await findFreePort();
  const child = spawn(node, [...options, server], {
    cwd: folder,
    env: { ...env, ...environment, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const keep = (/** @type {string} */ text) => void (printed += text);
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const untrack = trackChild((signal) => child.kill(signal));
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => child.once("close", () => resolve())).finally(untrack);
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  const origin = `http://127.0.0.1:${port}`;
  if (await listens(child, origin)) return { origin, environment, printed: () => printed, stop };
  await stop();
  throw new Error(`${server} did not start:\n${printed}`);
}

/**
 * What stands before the file in a command such as `SECRET=1 node --env-file=.env express.ts`.
 *
 * @param {import("./read-guide.mjs").Guide} guide
 * @returns {{ environment: Record<string, string>, options: string[] }}
 */
function readStartCommand({ commands, servers }) {
  const command = commands.find(
    (each) => programOf(each) === "node" && servers.some((server) => each.endsWith(server)),
  );
  const words = command?.split(/\s+/) ?? ["node"];
  const at = words.indexOf("node");
  return {
    environment: Object.fromEntries(words.slice(0, at).map((word) => word.split("=", 2))),
    options: words.slice(at + 1, -1),
  };
}

/** @param {import("node:child_process").ChildProcess} child @param {string} origin */
async function listens(child, origin) {
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
