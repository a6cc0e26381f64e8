import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {{
 *   name?: string,
 *   version?: string,
 *   private?: boolean,
 *   exports?: unknown,
 *   imports?: Record<string, unknown>,
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

/**
 * The packages which `pnpm-workspace.yaml` names, in the order of their names.
 *
 * @param {string} root
 * @returns {WorkspacePackage[]}
 */
export function readWorkspace(root) {
  return readPatterns(root)
    .flatMap((pattern) => expandPattern(root, pattern))
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

/**
 * The workspace packages that a package needs, itself last, each after those it needs.
 *
 * @param {readonly WorkspacePackage[]} packages
 * @param {string} name
 * @param {(manifest: Manifest) => string[]} needs
 */
export function collectDependencies(packages, name, needs) {
  /** @type {Map<string, WorkspacePackage>} */
  const ordered = new Map();
  /** @type {Set<string>} */
  const entered = new Set();
  const visit = (/** @type {string} */ current) => {
    const found = packages.find((candidate) => candidate.name === current);
    if (found === undefined || entered.has(current)) return;
    entered.add(current);
    for (const dependency of needs(found.manifest)) visit(dependency);
    ordered.set(current, found);
  };
  visit(name);
  return [...ordered.values()];
}

/** What must be built before a package runs. @param {Manifest} manifest */
export function runtimeNeeds(manifest) {
  return Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  });
}

/** What must be built before a package is built, tested or measured. @param {Manifest} manifest */
export function buildNeeds(manifest) {
  return [...runtimeNeeds(manifest), ...Object.keys(manifest.devDependencies ?? {})];
}

// Only the shapes this repository uses (`folder` and `folder/*`): a YAML parser would be a dependency.
/** @param {string} root */
function readPatterns(root) {
  const lines = readFileSync(path.join(root, "pnpm-workspace.yaml"), "utf8").split(/\r?\n/);
  const patterns = [];
  for (const line of lines.slice(lines.indexOf("packages:") + 1)) {
    const item = /^\s+-\s+["']?([^"'\s]+)["']?\s*$/.exec(line);
    if (item === null) break;
    if (item[1] !== undefined) patterns.push(item[1]);
  }
  return patterns;
}

/** @param {string} root @param {string} pattern */
function expandPattern(root, pattern) {
  if (!pattern.endsWith("/*")) return [path.join(root, pattern)];
  const parent = path.join(root, pattern.slice(0, -2));
  if (!existsSync(parent)) return [];
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map((entry) => path.join(parent, entry.name));
}
