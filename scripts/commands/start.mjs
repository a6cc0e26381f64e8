import path from "node:path";
import process from "node:process";
import { prepare } from "../bootstrap/prepare.mjs";
import { runNode } from "../bootstrap/processes.mjs";
import { ROOT } from "../bootstrap/workspace.mjs";

/** Options that belong to no command of the server. */
const OWN_OPTIONS = new Set(["--help", "-h", "--version", "-v"]);

/**
 * The demo, unless the first argument is a command: `--port 3205` is an option of the demo.
 *
 * @param {readonly string[]} args
 */
export function toServerArguments([first, ...rest]) {
  if (first === undefined) return ["serve", "--demo"];
  if (!first.startsWith("-") || OWN_OPTIONS.has(first)) return [first, ...rest];
  return ["serve", "--demo", ...[first, ...rest].filter((each) => each !== "--demo")];
}

/** The server with these arguments, or the demo. @param {readonly string[]} args */
export async function run(args) {
  const { node, env } = await prepare({ build: "javascript" });
  const server = path.join(ROOT, "reference-server", "dist", "main.js");
  return runNode(node, [server, ...toServerArguments(args)], { cwd: process.cwd(), env });
}
