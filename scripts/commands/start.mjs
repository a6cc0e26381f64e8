import path from "node:path";
import process from "node:process";
import { prepare } from "../bootstrap/prepare.mjs";
import { runNode } from "../bootstrap/processes.mjs";
import { ROOT } from "../bootstrap/workspace.mjs";

/** The server with these arguments, or the demo. @param {readonly string[]} args */
export async function run(args) {
  const { node, env } = await prepare({ build: "javascript" });
  const server = path.join(ROOT, "reference-server", "dist", "main.js");
  return runNode(node, [server, ...(args.length > 0 ? args : ["serve", "--demo"])], {
    cwd: process.cwd(),
    env,
  });
}
