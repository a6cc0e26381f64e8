import { findCycles } from "./find-cycles.mjs";

/**
 * Cycles among the folders directly under `src`, found as `findCycles` finds them, each as a line that names the folders and the
 * imports that close it. A file directly under `src` counts as a folder of its own, and what lies deeper belongs to its topmost folder.
 * Cycles of such files alone are left out: they are cycles of files.
 *
 * @param {ReadonlyMap<string, readonly string[]>} imports What each file of a package imports; paths are relative to the package.
 * @returns {string[]}
 */
export function findFolderCycles(imports) {
  /** From each folder: the folders it needs, and for which imports. @type {Map<string, Map<string, Set<string>>>} */
  const needs = new Map();
  for (const [file, targets] of imports) {
    const from = folderOf(file);
    for (const target of targets) {
      const to = folderOf(target);
      if (from === undefined || to === undefined || from === to) continue;
      const ofFolder = needs.get(from) ?? new Map();
      needs.set(from, ofFolder.set(to, (ofFolder.get(to) ?? new Set()).add(`${file} → ${target}`)));
    }
  }
  const graph = new Map(Array.from(needs, ([folder, needed]) => [folder, [...needed.keys()]]));
  return findCycles(graph)
    .filter((cycle) => cycle.some((folder) => !imports.has(folder)))
    .map((cycle) => `${cycle.join(" → ")} (${describeSteps(cycle, needs)})`);
}

/** `src/a` of `src/a/b/c.ts`; undefined for what does not lie under `src`. @param {string} file */
function folderOf(file) {
  const [root, folder] = file.split("/");
  return root === "src" && folder !== undefined ? `src/${folder}` : undefined;
}

/**
 * One import for each step, and how many there are. The step with the fewest comes first: there the cycle is opened most easily.
 *
 * @param {readonly string[]} cycle
 * @param {ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>} needs
 */
function describeSteps(cycle, needs) {
  return cycle
    .slice(1)
    .map((to, index) => [...(needs.get(cycle[index] ?? "")?.get(to) ?? [])])
    .sort((one, other) => one.length - other.length)
    .map(([first, ...others]) => (others.length === 0 ? first : `${first} and ${others.length} more`))
    .join("; ");
}
