import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ScriptError } from "../bootstrap/errors.mjs";
import { run } from "../bootstrap/processes.mjs";
import { ensurePnpm } from "../bootstrap/tools.mjs";
import { readWorkspace } from "../bootstrap/workspace.mjs";

/**
 * Packs the published packages into a folder, as they go to the registry: pnpm replaces `workspace:` by versions.
 *
 * @param {{ folder: string, workspace?: readonly import("../bootstrap/workspace.mjs").WorkspacePackage[], env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Map<string, string>>} The path of each tarball, by the name of its package.
 */
export async function packPackages({ folder, workspace = readWorkspace(), env = process.env }) {
  const pnpm = await ensurePnpm();
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) if (file.endsWith(".tgz")) rmSync(path.join(folder, file));
  /** @type {Map<string, string>} */
  const packed = new Map();
  for (const { name, folder: source, manifest } of workspace) {
    if (manifest.private === true) continue;
    const tarball = path.join(folder, `${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
    const result = await run(pnpm, ["pack", "--out", tarball], { cwd: source, env, capture: true });
    if (result.code !== 0) throw new ScriptError(`${name} could not be packed.`, result);
    packed.set(name, tarball);
  }
  return packed;
}
