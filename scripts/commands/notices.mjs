import { ScriptError } from "../bootstrap/errors.mjs";
import { prepare } from "../bootstrap/prepare.mjs";
import { writeNotices } from "../licences/write-notices.mjs";

export const usage = `node scripts/run.mjs notices

Writes the licences of the code and the font in the developer site, as they are installed.`;

/** @param {readonly string[]} args */
export async function run(args) {
  if (args.length > 0) throw new ScriptError(usage);
  await prepare();
  writeNotices();
}
