import { setImmediate as nextRound } from "node:timers/promises";
import type { Key, KeyPart, Store } from "@hookwright/storage";

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
  return (await findFewRuns(store, prefix, dimensions, Number.POSITIVE_INFINITY)) ?? [];
}

/** The same with a limit of the work: undefined if the runs are not found with so many seeks. */
export async function findFewRuns(
  store: Store,
  prefix: Key,
  dimensions: readonly (string | undefined)[],
  mostSeeks: number,
): Promise<Key[] | undefined> {
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
  for (let seeks = 1; seeks <= mostSeeks; seeks++) {
    if (seeks % seeksInARow === 0) await nextRound();
    const [entry] = await store.list({ prefix: base, after, limit: 1 });
    if (entry === undefined) return runs;
    const found = entry.key.slice(base.length, base.length + rest.length);
    const other = rest.findIndex((part, index) => part !== undefined && part !== found[index]);
    if (other === -1) runs.push([...base, ...found]);
    const next = other === -1 ? behind(found) : placeToSeek(rest, found, other);
    if (next === undefined) return runs;
    after = [...base, ...next];
  }
  return undefined;
}

/** Where the search goes on once something was met that is the first to differ from what is sought in its part `other`. */
function placeToSeek(
  sought: readonly (string | undefined)[],
  met: readonly KeyPart[],
  other: number,
): KeyPart[] | undefined {
  const agreed = met.slice(0, other);
  const [wanted, found] = [sought[other] ?? "", met[other]];
  if (typeof found === "string" && Buffer.compare(Buffer.from(found), Buffer.from(wanted)) > 0)
    return behind(agreed);
  const open = sought.indexOf(undefined, other);
  const fixed = sought.slice(other, open === -1 ? sought.length : open).filter((part) => part !== undefined);
  return [...agreed, ...fixed];
}

/**
 * Behind all that begins with these parts, and before all that begins with others. No text could stand for "above every other":
 * a stored one may begin with the last of all characters. Undefined behind no parts, where nothing more is.
 */
function behind(parts: readonly KeyPart[]): KeyPart[] | undefined {
  return parts.length === 0 ? undefined : [...parts.slice(0, -1), `${parts.at(-1)}\0`];
}
