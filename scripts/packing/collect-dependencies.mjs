/**
 * A package and the workspace packages that it needs to run, itself last.
 *
 * @param {readonly import("../bootstrap/workspace.mjs").WorkspacePackage[]} workspace
 * @param {string} name
 */
export function collectDependencies(workspace, name) {
  /** @type {Set<import("../bootstrap/workspace.mjs").WorkspacePackage>} */
  const found = new Set();
  const visit = (/** @type {string} */ current) => {
    const entry = workspace.find((candidate) => candidate.name === current);
    if (entry === undefined || found.has(entry)) return;
    const { dependencies, peerDependencies } = entry.manifest;
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) visit(needed);
    found.add(entry);
  };
  visit(name);
  return [...found];
}
