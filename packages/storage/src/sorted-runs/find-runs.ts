import { setImmediate as nextTurn } from "node:timers/promises";
import type { Key, KeyPart, Store } from "../port.ts";

/** After this many reads, other work runs: a store that reads in this thread never waits. */
const readsInARow = 64;

/**
 * Finds the sorted runs of an index with keys of the form `prefix, dimensions…, rest`: one run for each existing combination of the
 * open dimensions (`undefined`). This is a loose index scan with one read per run. A fixed dimension behind an open one costs one more
 * read at most.
 */
export async function findRuns(
  store: Store,
  prefix: Key,
  dimensions: readonly (string | undefined)[],
): Promise<Key[]> {
  return (await findFewRuns(store, prefix, dimensions, Number.POSITIVE_INFINITY)) ?? [];
}

/** Like {@link findRuns}, with a limit. Returns `undefined` if it would take more than `maximumReads` reads. */
export async function findFewRuns(
  store: Store,
  prefix: Key,
  dimensions: readonly (string | undefined)[],
  maximumReads: number,
): Promise<Key[] | undefined> {
  const open = dimensions.findIndex((part) => part === undefined);
  // Leading fixed parts only lengthen the prefix.
  const fixed = dimensions
    .slice(0, open === -1 ? dimensions.length : open)
    .filter((part) => part !== undefined);
  const base: Key = [...prefix, ...fixed];
  if (open === -1) return [base];
  const rest = dimensions.slice(open);
  const runs: Key[] = [];
  let after: Key | undefined;
  for (let reads = 1; reads <= maximumReads; reads++) {
    if (reads % readsInARow === 0) await nextTurn();
    const [entry] = await store.list({ prefix: base, after, limit: 1 });
    if (entry === undefined) return runs;
    const found = entry.key.slice(base.length, base.length + rest.length);
    const different = rest.findIndex((part, index) => part !== undefined && part !== found[index]);
    if (different === -1) runs.push([...base, ...found]);
    const next = different === -1 ? behind(found) : nextPlace(rest, found, different);
    if (next === undefined) return runs;
    after = [...base, ...next];
  }
  return undefined;
}

/** Where the scan continues after an entry whose part at index `different` is not the wanted one. */
function nextPlace(
  wanted: readonly (string | undefined)[],
  found: readonly KeyPart[],
  different: number,
): KeyPart[] | undefined {
  const equal = found.slice(0, different);
  const [wantedPart, foundPart] = [wanted[different] ?? "", found[different]];
  if (typeof foundPart === "string" && Buffer.compare(Buffer.from(foundPart), Buffer.from(wantedPart)) > 0)
    return behind(equal);
  const open = wanted.indexOf(undefined, different);
  const fixed = wanted
    .slice(different, open === -1 ? wanted.length : open)
    .filter((part) => part !== undefined);
  return [...equal, ...fixed];
}

/**
 * A place behind every key that begins with these parts, and before all others. No text is greater than every stored text, so the last
 * part is extended by the smallest character. `undefined` if there are no parts: nothing follows.
 */
function behind(parts: readonly KeyPart[]): KeyPart[] | undefined {
  return parts.length === 0 ? undefined : [...parts.slice(0, -1), `${parts.at(-1)}\0`];
}
