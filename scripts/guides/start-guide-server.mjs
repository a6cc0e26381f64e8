import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../bootstrap/run-command.mjs";
import { startServer } from "../servers/start-server.mjs";
import { programOf } from "./read-guide.mjs";

/**
 * @typedef {import("../servers/start-server.mjs").RunningServer & { environment: Record<string, string> }} StartedServer
 *   `environment`: the variables that the guide's command sets.
 */

/**
 * @typedef {{
 *   guide: import("./read-guide.mjs").Guide,
 *   server: string,
 *   folder: string,
 *   node: string,
 *   env: NodeJS.ProcessEnv,
 * }} StartOptions
 */

/** Saves the files of a guide in a folder, and makes those that its commands write there. @param {StartOptions} options */
export async function saveGuideFiles({ guide, folder, env }) {
  for (const { name, code } of guide.files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  for (const command of guide.commands.filter((each) => /^(?:echo|printf)$/.test(programOf(each))))
    await runCommand(command, [], { cwd: folder, env, shell: true });
}

/**
 * Starts a saved server with the command that the guide gives for one.
 *
 * @param {StartOptions} options
 * @returns {Promise<StartedServer>}
 */
export async function startGuideServer({ guide, server, folder, node, env }) {
  const { environment, options } = readStartCommand(guide);
  const started = await startServer({
    node,
    args: [...options, server],
    cwd: folder,
    env: { ...env, ...environment },
  });
  return { ...started, environment };
}

/**
 * What stands before the file in a command such as `SECRET=1 node --env-file=.env express.ts`.
 *
 * @param {import("./read-guide.mjs").Guide} guide
 * @returns {{ environment: Record<string, string>, options: string[] }}
 */
export function readStartCommand({ commands, servers }) {
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
