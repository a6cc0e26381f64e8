import path from "node:path";
import process from "node:process";
import { ScriptError } from "../bootstrap/errors.mjs";
import { prepare } from "../bootstrap/prepare.mjs";
import { step } from "../bootstrap/progress.mjs";
import { readWorkspace, ROOT } from "../bootstrap/workspace.mjs";
import { describePacked } from "../packing/describe-packed.mjs";
import { packPackages } from "../packing/pack-packages.mjs";

export const usage =
  "npm run pack\n\nBuilds all packages, packs the published ones into packed/, and says how to install them.";

/** @param {readonly string[]} args */
export async function run(args) {
  if (args.length > 0) throw new ScriptError(`\`npm run pack\` takes no arguments: ${args.join(" ")}`);
  const { env } = await prepare({ build: "full" });
  const folder = path.join(ROOT, "packed");
  const packed = await step("packing", () => packPackages({ folder, env }));
  process.stdout.write(`\n${describePacked({ workspace: readWorkspace(), packed, folder })}\n`);
}
