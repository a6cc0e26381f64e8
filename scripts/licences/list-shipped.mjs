import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { ScriptError } from "../bootstrap/errors.mjs";
import { readManifest } from "../bootstrap/workspace.mjs";

/**
 * A package of others that reaches the users of ours, and the package because of which it does.
 *
 * @typedef {{ name: string, version: string, license: unknown, by: string }} Shipped
 */

/** Development dependencies whose code is copied into what is published. */
export const BUNDLED = new Map([["@hookwright/console", ["@fontsource-variable/geist", "lucide", "preact"]]]);

/**
 * The packages that npm installs with the published ones, at any depth, and the bundled ones. The dependencies of the server are
 * those of the image. Left out are optional peers, which users choose themselves, and optional packages of other platforms.
 *
 * @param {readonly import("../bootstrap/workspace.mjs").WorkspacePackage[]} workspace
 * @returns {Shipped[]} Sorted by name.
 */
export function listShipped(workspace, bundled = BUNDLED) {
  const own = new Set(workspace.map(({ name }) => name));
  /** @type {Map<string, Shipped>} */
  const found = new Map();
  const add = (/** @type {string} */ folder, /** @type {string} */ by) => {
    const { name = "", version = "", license, licenses } = readManifest(folder);
    const key = `${name} ${version}`;
    if (found.has(key)) return;
    found.set(key, { name, version, license: license ?? licenses, by });
    visit(folder, key);
  };
  const visit = (/** @type {string} */ folder, /** @type {string} */ by) => {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      readManifest(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (own.has(name) || peerDependenciesMeta?.[name]?.optional === true) continue;
      const needed = findInstalled(folder, name);
      if (needed !== undefined) add(needed, by);
      else if (optionalDependencies?.[name] === undefined)
        throw new ScriptError(`${by} needs ${name}, which is not installed. Run \`npm run build\`.`);
    }
  };
  for (const { name, folder, manifest } of workspace) {
    if (manifest.private === true) continue;
    visit(folder, name);
    for (const each of bundled.get(name) ?? []) {
      const { version = "", license } = readManifest(findInstalled(folder, each) ?? "");
      found.set(`${each} ${version}`, { name: each, version, license, by: name });
    }
  }
  return [...found.values()].sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
}

/** Finds a package as Node does. @param {string} from @param {string} name */
function findInstalled(from, name) {
  for (let folder = realpathSync(from), last = ""; folder !== last; folder = path.dirname(folder)) {
    const candidate = path.join(folder, "node_modules", name);
    if (existsSync(path.join(candidate, "package.json"))) return realpathSync(candidate);
    last = folder;
  }
  return undefined;
}
