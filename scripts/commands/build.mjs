import { ScriptError } from "../bootstrap/errors.mjs";
import { prepare } from "../bootstrap/prepare.mjs";

export const usage =
  "npm run build\n\nBuilds each package whose sources have changed, with its type declarations.";

/** @param {readonly string[]} args */
export async function run(args) {
  if (args.length > 0) throw new ScriptError(`\`npm run build\` takes no arguments: ${args.join(" ")}`);
  await prepare({ build: "full" });
}
