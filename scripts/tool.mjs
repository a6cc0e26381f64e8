import "./bootstrap/require-node-18.mjs";
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const { BootstrapError } = await import("./bootstrap/bootstrap-error.mjs");
const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { runTarget } = await import("./bootstrap/run-target.mjs");
const { readManifest } = await import("./bootstrap/workspace.mjs");

// `node scripts/tool.mjs <package> …`: a development tool of this repository, with our Node, on a clone that may have nothing yet.
await main(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined)
    throw new BootstrapError("Say which tool: `node scripts/tool.mjs PACKAGE [its arguments]`.");
  const { node, env } = await prepare({ root: ROOT });
  const folder = path.join(ROOT, "node_modules", name);
  if (!existsSync(path.join(folder, "package.json")))
    throw new BootstrapError(`There is no ${name} among the development dependencies of this repository.`);
  const { bin } = readManifest(folder);
  const program = typeof bin === "string" ? bin : Object.values(bin ?? {})[0];
  if (program === undefined) throw new BootstrapError(`${name} has no program to run.`);
  return runTarget({ node, args: [path.join(folder, program), ...args], cwd: ROOT, env });
});
