import type { Key, Store } from "@hookwright/storage";
import { findRuns } from "./index-runs.ts";
import { readNewestOfRuns } from "./newest-of-runs.ts";
import { comparePositions, readPosition, toPositionParts } from "./positions.ts";
import type { Position } from "./positions.ts";
import { orNoneOfSuchText } from "./none-of-such-text.ts";

export interface MergedIndexQuery {
  /** The parts that every entry sought begins with; a row may have an entry under several of them. */
  readonly prefixes: readonly Key[];
  /** The parts between prefix and position: a text is sought, undefined means any. */
  readonly dimensions: readonly (string | undefined)[];
  /** Rows behind this position only. */
  readonly after?: Position | undefined;
  readonly limit: number;
}

/**
 * Reads an index whose keys are `prefix, dimensions…, createdAt, arrival, id` newest first, with any of the dimensions
 * left open. Each existing combination of the open ones is a sorted run of its own; the runs are merged.
 *
 * So one index entry a row serves every combination of filters, and the last page of a million rows costs what
 * the first does. The cost grows with the number of combinations (sites × statuses), a seek or two each, and with nothing else.
 */
export function readMergedIndex(store: Store, query: MergedIndexQuery): Promise<Position[]> {
  return orNoneOfSuchText([], () => readPositions(store, query));
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
