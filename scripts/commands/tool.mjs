import process from "node:process";
import { ScriptError } from "../bootstrap/errors.mjs";
import { prepare } from "../bootstrap/prepare.mjs";
import { run as runProgram } from "../bootstrap/processes.mjs";

/** A program of node_modules/.bin with its arguments, in a clone that may have nothing installed yet. @param {readonly string[]} args */
export async function run([program, ...args]) {
  if (program === undefined)
    throw new ScriptError("Name a program: `node scripts/run.mjs tool PROGRAM [ARGUMENTS]`.");
  const { env } = await prepare({ withPnpm: program === "pnpm" });
  return runProgram(program, args, { env, shell: process.platform === "win32" });
}
