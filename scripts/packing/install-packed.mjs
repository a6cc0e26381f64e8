import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import path from "node:path";
import { BootstrapError } from "../bootstrap/bootstrap-error.mjs";
import { runCommand } from "../bootstrap/run-command.mjs";

/**
 * Fills the `node_modules` of a folder as npm does from tarballs, without the registry: our packages are unpacked, and what they
 * depend on is linked from the workspace. Optional peer dependencies are left out unless `withOptionalPeers` is set.
 *
 * @param {{
 *   folder: string,
 *   workspace: readonly import("../bootstrap/workspace.mjs").WorkspacePackage[],
 *   packed: ReadonlyMap<string, string>,
 *   withOptionalPeers: boolean,
 *   env: NodeJS.ProcessEnv,
 * }} options
 */
export async function installPacked({ folder, workspace, packed, withOptionalPeers, env }) {
  const modules = path.join(folder, "node_modules");
  /** @type {Map<string, string>} */
  const others = new Map();
  for (const { name, folder: source, manifest } of workspace) {
    const tarball = packed.get(name);
    if (tarball === undefined) continue;
    await unpack({ tarball, into: path.join(modules, name), env });
    for (const needed of listNeeds(manifest, withOptionalPeers))
      if (!packed.has(needed)) others.set(needed, path.join(source, "node_modules", needed));
  }
  for (const [name, source] of others) linkPackage(modules, name, source);
}

/** @param {string} modules @param {string} name @param {string} source */
export function linkPackage(modules, name, source) {
  const link = path.join(modules, name);
  mkdirSync(path.dirname(link), { recursive: true });
  // The real path, so that its own dependencies are found beside it.
  symlinkSync(realpathSync(source), link, "junction");
}

/** @param {import("../bootstrap/workspace.mjs").Manifest} manifest @param {boolean} withOptionalPeers */
function listNeeds({ dependencies, peerDependencies, peerDependenciesMeta = {} }, withOptionalPeers) {
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => withOptionalPeers || peerDependenciesMeta[name]?.optional !== true,
  );
  return [...Object.keys(dependencies ?? {}), ...peers];
}

/** @param {{ tarball: string, into: string, env: NodeJS.ProcessEnv }} options */
async function unpack({ tarball, into, env }) {
  mkdirSync(into, { recursive: true });
  const { code, output } = await runCommand("tar", ["-xzf", tarball, "--strip-components=1"], {
    cwd: into,
    env,
  });
  if (code !== 0)
    throw new BootstrapError(`${path.basename(tarball)} could not be unpacked.`, { output: output.trim() });
}
