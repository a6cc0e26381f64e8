import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { projectCacheFolder } from "./cache-folder.mjs";
import { readStamp, removeStamp, writeStamp } from "./stamp.mjs";

/**
 * What a package was last built from, and the files that came of it with their times.
 *
 * @typedef {{ fingerprint: string, kind: import("./build-packages.mjs").BuildKind, outputs: Record<string, number> }} BuildStamp
 * @typedef {import("./workspace.mjs").WorkspacePackage} WorkspacePackage
 */

/**
 * `undefined` where there is no build to rely on: a file is gone, or its time shows a build by other hands, of sources we have not seen.
 *
 * @param {string} root
 * @param {WorkspacePackage} built
 */
export function readBuildStamp(root, built) {
  const stamp = /** @type {BuildStamp | undefined} */ (readStamp(stampFile(root, built)));
  if (stamp === undefined) return undefined;
  const untouched = Object.entries(stamp.outputs).every(
    ([file, time]) => modifiedAt(path.join(built.folder, file)) === time,
  );
  return untouched ? stamp : undefined;
}

/**
 * @param {string} root
 * @param {WorkspacePackage} built
 * @param {{ fingerprint: string, kind: import("./build-packages.mjs").BuildKind, files: readonly string[] }} build
 * @returns {string[]} The files that are missing; where there are any, nothing is written.
 */
export function writeBuildStamp(root, built, { fingerprint, kind, files }) {
  const missing = files.filter((file) => !existsSync(path.join(built.folder, file)));
  if (missing.length > 0) return missing;
  const outputs = Object.fromEntries(files.map((file) => [file, modifiedAt(path.join(built.folder, file))]));
  writeStamp(stampFile(root, built), { fingerprint, kind, outputs });
  return [];
}

/** @param {string} root @param {WorkspacePackage} built */
export function removeBuildStamp(root, built) {
  removeStamp(stampFile(root, built));
}

/** @param {string} file */
function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @param {string} root @param {WorkspacePackage} built */
function stampFile(root, { name }) {
  return path.join(projectCacheFolder(root), "built", `${name.replace("/", "__")}.json`);
}
