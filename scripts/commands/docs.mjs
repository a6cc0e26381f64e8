import { ScriptError } from "../bootstrap/errors.mjs";
import { prepare } from "../bootstrap/prepare.mjs";
import { runNode } from "../bootstrap/processes.mjs";

const COMMANDS = ["dev", "build", "preview"];

export const usage = `npm run docs [-- ${COMMANDS.join(" | ")} [options of VitePress]]

Serves the documentation as a site while you write it (dev, the default), builds it into docs/.vitepress/dist, or serves what was built.`;

/** @param {readonly string[]} args */
export async function run(args) {
  const [command = "dev", ...options] = args[0]?.startsWith("-") ? ["dev", ...args] : args;
  if (!COMMANDS.includes(command))
    throw new ScriptError(`There is no command "${command}". Choose one of: ${COMMANDS.join(", ")}.`);
  const { node, env } = await prepare();
  return runNode(node, ["node_modules/vitepress/bin/vitepress.js", command, "docs", ...options], { env });
}
