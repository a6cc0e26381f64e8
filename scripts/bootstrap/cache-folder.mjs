import { accessSync, constants, mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Where Node and pnpm are kept: the user's cache, shared by every clone; inside the project where that cannot be written
 * (a read-only home, a container without one).
 *
 * @param {{ root: string, env: NodeJS.ProcessEnv, platform: string }} options
 */
export function openCacheFolder({ root, env, platform }) {
  for (const folder of listCacheFolders({ root, env, platform })) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK | constants.X_OK);
      return folder;
    } catch {
      // The next candidate; the last one's failure is reported by whoever writes there.
    }
  }
  return projectCacheFolder(root);
}

/**
 * Where they may be already, by an earlier run that could write elsewhere, or by whoever made this image.
 *
 * @param {{ root: string, env: NodeJS.ProcessEnv, platform: string }} options
 */
export function listCacheFolders({ root, env, platform }) {
  return [...userCacheFolders(env, platform), projectCacheFolder(root)];
}

/** Stamps and locks of this clone. pnpm leaves dot folders in `node_modules` alone. @param {string} root */
export function projectCacheFolder(root) {
  return path.join(root, "node_modules", ".cache", "hookwright");
}

/** @param {NodeJS.ProcessEnv} env @param {string} platform */
function userCacheFolders(env, platform) {
  const configured = env["XDG_CACHE_HOME"];
  // The XDG specification: a relative path is to be ignored.
  if (configured && path.isAbsolute(configured)) return [path.join(configured, "hookwright")];
  if (platform === "win32" && env["LOCALAPPDATA"])
    return [path.join(env["LOCALAPPDATA"], "hookwright", "cache")];
  const home = env["HOME"] || os.homedir();
  return path.isAbsolute(home) ? [path.join(home, ".cache", "hookwright")] : [];
}
