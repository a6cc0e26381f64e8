import process from "node:process";
import { BootstrapError } from "./bootstrap-error.mjs";

/**
 * Shows how a script is called where that was asked for, which is then all it does.
 *
 * @param {{ args: readonly string[], usage: string, write?: (text: string) => void }} options
 */
export function isHelpShown({ args, usage, write = (text) => void process.stdout.write(text) }) {
  if (!args.some((argument) => argument === "--help" || argument === "-h")) return false;
  write(`${usage}\n`);
  return true;
}

/**
 * For a script that takes none: whoever gives one would believe that it was obeyed.
 *
 * @param {{ args: readonly string[], command: string }} options
 */
export function refuseArguments({ args, command }) {
  const [first] = args;
  if (first === undefined) return;
  throw new BootstrapError(
    `\`${command}\` takes no arguments, and ${JSON.stringify(first)} is one. Leave it out.`,
  );
}
