import type { Key, Store } from "@hookwright/storage";

/** Above every other part: strings come after numbers, and no stored text is this one alone. */
const last = "\u{10FFFF}";

/**
 * The sorted runs of an index whose keys are `prefix, dimensions…, rest`: one for each combination of the dimensions left
 * open that exists, found by a seek each.
 */
export async function findRuns(
  store: Store,
  prefix: Key,
  dimensions: readonly (string | undefined)[],
): Promise<Key[]> {
  // Leading fixed parts only lengthen the prefix.
  const open = dimensions.findIndex((part) => part === undefined);
  const fixed = dimensions
    .slice(0, open === -1 ? dimensions.length : open)
    .filter((part) => part !== undefined);
  const base: Key = [...prefix, ...fixed];
  if (open === -1) return [base];
  const rest = dimensions.slice(open);
  const runs: Key[] = [];
  let after: Key | undefined;
  for (;;) {
    const [entry] = await store.list({ prefix: base, limit: 1, ...(after === undefined ? {} : { after }) });
    if (entry === undefined) return runs;
    const [partition] = base;
    const run: Key = [partition, ...entry.key.slice(1, base.length + rest.length)];
    const found = run.slice(base.length);
    if (rest.every((part, index) => part === undefined || part === found[index])) runs.push(run);
    after = [...run, last];
  }
}
