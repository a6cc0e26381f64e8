import { ScriptError } from "../bootstrap/errors.mjs";
import { writeNotices } from "../licences/write-notices.mjs";

export const usage = `node scripts/run.mjs notices FOLDER

Writes the licences of the code in the developer site. FOLDER has @scalar/api-reference, installed with all dependencies:

  cd "$(mktemp -d)" && npm install --ignore-scripts @scalar/api-reference@VERSION && pwd`;

/** @param {readonly string[]} args */
export async function run([folder]) {
  if (folder === undefined) throw new ScriptError(usage);
  writeNotices(folder);
}
