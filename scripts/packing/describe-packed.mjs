import path from "node:path";
import { collectDependencies } from "./collect-dependencies.mjs";

/**
 * What people install, and what others publish that their code needs.
 *
 * @type {readonly { name: string, what: string, flags?: string, beside?: string }[]}
 */
const USES = [
  {
    name: "hookwright",
    what: "To embed Hookwright, in the folder of your program (instead of lmdb: ioredis with Redis, pg and @types/pg with PostgreSQL):",
    beside: "lmdb",
  },
  {
    name: "@hookwright/reference-server",
    what: "To run the server (`hookwright serve` starts it):",
    flags: "--global ",
    // npm hides these in the folder of the server, where the global package @hookwright/storage does not look.
    beside: "lmdb ioredis pg",
  },
  { name: "@hookwright/signature", what: "To verify webhooks:" },
  { name: "@hookwright/client", what: "To call the API:" },
  { name: "@hookwright/cli", what: "To develop a receiver (`npx hookwright listen` receives events):" },
  { name: "@hookwright/msw", what: "To test a program that does either, with msw:", beside: "msw" },
];

/**
 * The commands that install what was packed. They name all workspace packages that a package needs: npm would look for those on the registry.
 *
 * @param {{
 *   workspace: readonly import("../bootstrap/workspace.mjs").WorkspacePackage[],
 *   packed: ReadonlyMap<string, string>,
 *   folder: string,
 * }} options
 */
export function describePacked({ workspace, packed, folder }) {
  const commands = USES.filter(({ name }) => packed.has(name)).map(
    ({ name, what, flags = "", beside = "" }) => {
      const tarballs = collectDependencies(workspace, name).map((needed) =>
        quote(packed.get(needed.name) ?? ""),
      );
      return `${what}\n\n  npm install ${flags}${[...tarballs, beside].filter(Boolean).join(" \\\n    ")}`;
    },
  );
  return [`${packed.size} packages in ${folder}${path.sep}`, ...commands].join("\n\n");
}

/** @param {string} file */
function quote(file) {
  return /\s/.test(file) ? `"${file}"` : file;
}
