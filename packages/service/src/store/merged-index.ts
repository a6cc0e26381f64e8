import type { Key, Store } from "@hookwright/storage";
import { findRuns, orNone, readNewestOfRuns } from "@hookwright/storage/sorted-runs";
import { comparePositions, readPosition, toPositionParts } from "./positions.ts";
import type { Position } from "./positions.ts";

export interface MergedIndexQuery {
  /** The prefixes of the entries. A row may have an entry under several prefixes. */
  readonly prefixes: readonly Key[];
  /** The key parts between prefix and position. Undefined matches any value. */
  readonly dimensions: readonly (string | undefined)[];
  /** Returns only rows after this position. */
  readonly after?: Position | undefined;
  readonly limit: number;
}

/**
 * Reads an index with keys `prefix, dimensions…, createdAt, arrival, id`, newest first. Each existing combination of the open
 * dimensions is a sorted run. The runs are merged, and duplicates are removed.
 *
 * One index entry per row serves every combination of filters. The cost depends on the number of runs (sites × statuses), not on the
 * number of rows or the page.
 */
export function readMergedIndex(store: Store, query: MergedIndexQuery): Promise<Position[]> {
  return orNone([], () => readPositions(store, query));
}

async function readPositions(store: Store, query: MergedIndexQuery): Promise<Position[]> {
  const { after, limit } = query;
  const runs = await Promise.all(query.prefixes.map((prefix) => findRuns(store, prefix, query.dimensions)));
  return readNewestOfRuns(store, {
    runs: runs.flat(),
    before: after === undefined ? undefined : toPositionParts(after),
    limit,
    toRow: ({ key }) => expectPosition(key),
    compare: comparePositions,
  });
}

function expectPosition(key: Key): Position {
  const position = readPosition(key);
  if (position === undefined) throw new Error(`not an index key: ${key.join("/")}`);
  return position;
}
