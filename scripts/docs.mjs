import "./bootstrap/require-node-18.mjs";
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const { BootstrapError } = await import("./bootstrap/bootstrap-error.mjs");
const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { isHelpShown } = await import("./bootstrap/read-arguments.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { runTarget } = await import("./bootstrap/run-target.mjs");

const COMMANDS = ["dev", "build", "preview"];
const usage = `npm run docs [-- ${COMMANDS.join(" | ")} [options of VitePress]]

Shows the documentation as a site while it is written (dev, which is what happens without a command), builds it into
docs/.vitepress/dist, or shows what was built.`;

await main(async () => {
  const given = process.argv.slice(2);
  if (isHelpShown({ args: given, usage })) return;
  const [first = "dev", ...others] = given;
  const isOption = first.startsWith("-");
  const command = isOption ? "dev" : first;
  const args = isOption ? given : others;
  if (!COMMANDS.includes(command))
    throw new BootstrapError(`There is no command "${command}". Choose one of: ${COMMANDS.join(", ")}.`);
  if (command === "preview" && !existsSync(path.join(ROOT, "docs/.vitepress/dist")))
    throw new BootstrapError("Nothing is built yet: run `npm run docs -- build` first.");
  const { node, env } = await prepare({ root: ROOT });
  const vitepress = path.join(ROOT, "node_modules/vitepress/bin/vitepress.js");
  return runTarget({ node, args: [vitepress, command, path.join(ROOT, "docs"), ...args], cwd: ROOT, env });
});
