import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the clone. */
export const ROOT = path.resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Stamps and locks of this clone. pnpm keeps dot folders in `node_modules`. */
export const PROJECT_CACHE = path.join(ROOT, "node_modules", ".cache", "hookwright");

/** The compiler that checks types. It is faster than the one that bundles declarations. */
export const TSC = path.join(ROOT, "node_modules", "typescript-7", "bin", "tsc");

/** Several checkers repeat each other's work: four take half as much processor time again. */
export const ONE_CHECKER = ["--checkers", "1"];

/**
 * @typedef {{
 *   name?: string,
 *   version?: string,
 *   private?: boolean,
 *   license?: unknown,
 *   licenses?: unknown,
 *   exports?: Record<string, unknown>,
 *   bin?: string | Record<string, string>,
 *   scripts?: Record<string, string>,
 *   dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }>,
 * }} Manifest
 *
 * @typedef {{ name: string, folder: string, manifest: Manifest }} WorkspacePackage
 */

/** The packages of this workspace, sorted by name. @returns {WorkspacePackage[]} */
export function readWorkspace(root = ROOT) {
  const folders = readdirSync(path.join(root, "packages")).map((name) => path.join(root, "packages", name));
  return [...folders, ...["reference-server", "docs", "bench"].map((name) => path.join(root, name))]
    .filter((folder) => existsSync(path.join(folder, "package.json")))
    .map((folder) => {
      const manifest = readManifest(folder);
      return { name: manifest.name ?? path.basename(folder), folder, manifest };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param {string} folder @returns {Manifest} */
export function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
}
