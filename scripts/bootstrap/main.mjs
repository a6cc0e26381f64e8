import { existsSync } from "node:fs";
import process from "node:process";
import { describeFailure, ScriptError } from "./errors.mjs";
import { endChildren, exitLike, forwardSignals, Interrupted } from "./processes.mjs";

/**
 * Runs a command and ends the process with its result.
 *
 * A command exports `usage` if it answers `--help` itself, and `run`, which resolves to how the process ends.
 *
 * @param {string} name A file of scripts/commands.
 * @param {readonly string[]} args
 */
export async function main(name, args) {
  forwardSignals();
  try {
    const file = new URL(`../commands/${name}.mjs`, import.meta.url);
    if (!existsSync(file)) throw new ScriptError(`scripts/commands has no "${name}".`);
    const { run, usage } = await import(file.href);
    if (usage !== undefined && (args[0] === "--help" || args[0] === "-h")) process.stdout.write(`${usage}\n`);
    else exitLike((await run(args)) ?? { code: 0 });
  } catch (error) {
    await endChildren();
    if (error instanceof Interrupted) return exitLike({ code: null, signal: error.signal });
    process.stderr.write(`\n${describeFailure(error)}\n`);
    exitLike({ code: 1 });
  }
}
