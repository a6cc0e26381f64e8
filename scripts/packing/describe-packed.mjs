import path from "node:path";
import { collectDependencies, runtimeNeeds } from "../bootstrap/workspace.mjs";

/**
 * What people install, and what for.
 *
 * @type {readonly { readonly name: string, readonly what: string, readonly beside?: readonly string[] }[]}
 */
const USES = [
  { name: "hookwright", what: "To embed Hookwright, in the folder of your program:" },
  {
    name: "@hookwright/reference-server",
    what: "To have the server, in a folder of its own (`npx hookwright serve` starts it):",
  },
  { name: "@hookwright/signature", what: "To verify webhooks:" },
  { name: "@hookwright/client", what: "To call the API:" },
  { name: "@hookwright/msw", what: "To test a program that does either, with msw:", beside: ["msw"] },
];

/**
 * What to type to install what was packed. A package is installed with all of ours that it needs, since npm would look for those
 * on the registry.
 *
 * @param {{
 *   workspace: readonly import("../bootstrap/workspace.mjs").WorkspacePackage[],
 *   packed: ReadonlyMap<string, string>,
 *   folder: string,
 * }} options
 */
export function describePacked({ workspace, packed, folder }) {
  const commands = USES.filter(({ name }) => packed.has(name)).map(({ name, what, beside = [] }) => {
    const tarballs = collectDependencies(workspace, name, runtimeNeeds).flatMap(
      (needed) => packed.get(needed.name) ?? [],
    );
    return [what, "", `  npm install ${[...tarballs.map(quote), ...beside].join(" \\\n    ")}`].join("\n");
  });
  const count = packed.size === 1 ? "1 package" : `${packed.size} packages`;
  return [`${count} in ${folder}${path.sep}`, ...commands].join("\n\n");
}

/** @param {string} file */
function quote(file) {
  return /\s/.test(file) ? `"${file}"` : file;
}
