import { accessSync, constants } from "node:fs";
import path from "node:path";
import process from "node:process";
import { BootstrapError } from "./bootstrap-error.mjs";
import { listCacheFolders, openCacheFolder } from "./cache-folder.mjs";
import { installTool, toolFolder } from "./install-tool.mjs";
import { isSupportedNode } from "./node-version.mjs";
import { NODE_PACKAGES, PINNED_NODE, PINNED_PNPM } from "./pinned.mjs";
import { runCommand } from "./run-command.mjs";

/**
 * The path of a Node that can run the project: this one where it is supported, else the pinned one.
 *
 * @param {{ root: string, env: NodeJS.ProcessEnv, progress: import("./progress.mjs").Progress, hostVersion?: string }} options
 */
export async function ensureNode({ root, env, progress, hostVersion = process.versions.node }) {
  if (isSupportedNode(hostVersion)) return process.execPath;
  const target = `${process.platform}-${process.arch}`;
  const packageName = NODE_PACKAGES[target];
  if (packageName === undefined) {
    throw new BootstrapError(
      `Node ${hostVersion} is too old and none is prepared for ${target}. Install Node 22.19, 24.11 or 26 and run the command again.`,
    );
  }
  const binary = process.platform === "win32" ? path.join("bin", "node.exe") : path.join("bin", "node");
  const toNode = (/** @type {string} */ cacheFolder) =>
    path.join(toolFolder({ cacheFolder, packageName, version: PINNED_NODE, target }), binary);
  const present = findProgram({ root, env, toProgram: toNode });
  if (present !== undefined) return present;
  const cacheFolder = openCacheFolder({ root, env, platform: process.platform });
  await progress.step(`Node ${PINNED_NODE} (here: ${hostVersion})`, async () => {
    await installTool({
      cacheFolder,
      packageName,
      version: PINNED_NODE,
      target,
      env,
      proveItWorks: (folder) =>
        proveVersion(path.join(folder, binary), `v${PINNED_NODE}`, { env, folder, what: "Node" }),
    });
  });
  return toNode(cacheFolder);
}

/**
 * The path of pnpm's native binary. It is always the pinned one: the lockfile was written by it.
 *
 * @param {{ root: string, env: NodeJS.ProcessEnv, progress: import("./progress.mjs").Progress }} options
 */
export async function ensurePnpm({ root, env, progress }) {
  const target = `${process.platform}-${process.arch}`;
  const binary = process.platform === "win32" ? "pnpm.exe" : "pnpm";
  const toPnpm = (/** @type {string} */ cacheFolder) =>
    path.join(toolFolder({ cacheFolder, packageName: "pnpm", version: PINNED_PNPM, target }), binary);
  const present = findProgram({ root, env, toProgram: toPnpm });
  if (present !== undefined) return present;
  const cacheFolder = openCacheFolder({ root, env, platform: process.platform });
  await progress.step(`pnpm ${PINNED_PNPM}`, async () => {
    await installTool({
      cacheFolder,
      packageName: "pnpm",
      version: PINNED_PNPM,
      target,
      env,
      async proveItWorks(folder) {
        // pnpm's own install script, which links the native binary over a placeholder. npm 12 blocks such scripts, so it runs here.
        const linked = await runCommand(process.execPath, [path.join(folder, "install.js")], {
          cwd: folder,
          env,
        });
        if (linked.code !== 0)
          throw new BootstrapError(`pnpm ${PINNED_PNPM} could not be set up for ${target}.`, {
            output: linked.output.trim(),
          });
        await proveVersion(path.join(folder, binary), PINNED_PNPM, { env, folder, what: "pnpm" });
      },
    });
  });
  return toPnpm(cacheFolder);
}

/**
 * What is there already is used where nothing can be written, too.
 *
 * @param {{ root: string, env: NodeJS.ProcessEnv, toProgram: (cacheFolder: string) => string }} options
 */
function findProgram({ root, env, toProgram }) {
  return listCacheFolders({ root, env, platform: process.platform })
    .map(toProgram)
    .find((program) => {
      try {
        accessSync(program, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * @param {string} binary
 * @param {string} expected
 * @param {{ env: NodeJS.ProcessEnv, folder: string, what: string }} options
 */
async function proveVersion(binary, expected, { env, folder, what }) {
  const result = await runCommand(binary, ["--version"], { cwd: folder, env }).catch(
    (/** @type {Error} */ error) => ({ code: 1, output: error.message }),
  );
  if (result.code === 0 && result.output.includes(expected)) return;
  throw new BootstrapError(
    `${what} ${expected} was fetched but does not run on this machine (an old C library, or musl?). Install Node 22.19, 24.11 or 26 and run the command again.`,
    { output: result.output.trim() },
  );
}
