import { readdirSync } from "node:fs";
import path from "node:path";
import { ScriptError } from "../bootstrap/errors.mjs";
import { prepare } from "../bootstrap/prepare.mjs";
import { runNode } from "../bootstrap/processes.mjs";
import { formatDuration, note } from "../bootstrap/progress.mjs";
import { ROOT } from "../bootstrap/workspace.mjs";

/** Each .ts file there is a bench. */
const FOLDER = path.join(ROOT, "bench");

/** These run for minutes, so they run only by name. */
const ONLY_BY_NAME = ["attacks", "compare", "scale"];

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => path.basename(file, ".ts"))
  .sort();
const byDefault = names.filter((name) => !ONLY_BY_NAME.includes(name));

export const usage = `npm run bench [-- NAME [arguments of the bench]]

Runs one of these, or all of them one after the other: ${byDefault.join(", ")}.
These run only by name: ${ONLY_BY_NAME.join(", ")}; \`npm run bench -- NAME --help\` says how.`;

/** @param {readonly string[]} args */
export async function run([name, ...args]) {
  if (name !== undefined && !names.includes(name))
    throw new ScriptError(
      `There is no bench "${name}". Choose one of: ${names.join(", ")}; or none, to run them all.`,
    );
  const { node, env } = await prepare({ build: "javascript" });
  // One after the other: benches that run at the same time disturb each other.
  for (const bench of name === undefined ? byDefault : [name]) {
    const started = performance.now();
    const exit = await runNode(node, [path.join(FOLDER, `${bench}.ts`), ...args], { env });
    if (exit.code !== 0) return exit;
    note(`${bench} took ${formatDuration(performance.now() - started)}`);
  }
  return { code: 0 };
}
