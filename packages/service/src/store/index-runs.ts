import { setImmediate as nextRound } from "node:timers/promises";
import type { Key, KeyPart, Store } from "@hookwright/storage";

/** Above every other part: strings come after numbers, and no stored text is this one alone. */
const last = "\u{10FFFF}";
/** Then others have their turn: a store that reads on this very thread answers at once, and there may be thousands. */
const seeksInARow = 64;

/**
 * The sorted runs of an index whose keys are `prefix, dimensions…, rest`: one for each combination of the dimensions left
 * open that exists, found by a seek each. What is fixed is sought also behind an open one, which costs a second seek at most.
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
  for (let seeks = 1; ; seeks++) {
    if (seeks % seeksInARow === 0) await nextRound();
    const [entry] = await store.list({ prefix: base, limit: 1, ...(after === undefined ? {} : { after }) });
    if (entry === undefined) return runs;
    const found = entry.key.slice(base.length, base.length + rest.length);
    const other = rest.findIndex((part, index) => part !== undefined && part !== found[index]);
    if (other === -1) {
      runs.push([...base, ...found]);
      after = [...base, ...found, last];
    } else after = [...base, ...found.slice(0, other), ...placeToSeek(rest.slice(other), found[other])];
  }
}

/** Where the search goes on under the parts that agree, once `found` was met there instead of the first of `sought`. */
function placeToSeek(sought: readonly (string | undefined)[], found: KeyPart | undefined): KeyPart[] {
  const [wanted = last] = sought;
  if (typeof found === "string" && Buffer.compare(Buffer.from(found), Buffer.from(wanted)) > 0) return [last];
  const open = sought.indexOf(undefined);
  return sought.slice(0, open === -1 ? sought.length : open).filter((part) => part !== undefined);
}
