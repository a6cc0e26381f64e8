import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { BootstrapError } from "../bootstrap/bootstrap-error.mjs";
import { runCommand } from "../bootstrap/run-command.mjs";

/**
 * Packs each package that is published into one folder, as it goes to the registry: pnpm writes versions in place of
 * `workspace:`, which npm does not know. What was packed there before is removed.
 *
 * @param {{
 *   workspace: readonly import("../bootstrap/workspace.mjs").WorkspacePackage[],
 *   folder: string,
 *   pnpm: string,
 *   env: NodeJS.ProcessEnv,
 * }} options
 * @returns {Promise<Map<string, string>>} The path of each tarball, by the name of its package.
 */
export async function packPackages({ workspace, folder, pnpm, env }) {
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder))
    if (file.endsWith(".tgz")) rmSync(path.join(folder, file), { force: true });

  /** @type {Map<string, string>} */
  const packed = new Map();
  for (const { name, folder: source, manifest } of workspace) {
    if (manifest.private === true) continue;
    const tarball = path.join(folder, `${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
    const { code, output } = await runCommand(pnpm, ["pack", "--out", tarball], { cwd: source, env });
    if (code !== 0) throw new BootstrapError(`${name} could not be packed.`, { output: output.trim() });
    packed.set(name, tarball);
  }
  return packed;
}
