/**
 * Cycles of a graph, as the nodes along each with the first repeated at the end. None only where there is none; where several share a
 * node, some may show only once others are opened.
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {string[][]}
 */
export function findCycles(graph) {
  /** @type {string[][]} */
  const cycles = [];
  /** @type {Set<string>} */
  const finished = new Set();
  /** @type {string[]} */
  const path = [];

  /** @param {string} node */
  const visit = (node) => {
    const at = path.indexOf(node);
    if (at >= 0) return void cycles.push([...path.slice(at), node]);
    if (finished.has(node)) return;
    path.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    path.pop();
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}
