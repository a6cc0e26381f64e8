import type { Key, Store } from "@hookwright/storage";
import { findRuns } from "./index-runs.ts";
import { comparePositions, readPosition, toPositionParts } from "./positions.ts";
import type { Position } from "./positions.ts";
import { orNoneThatLong } from "./too-long-for-a-key.ts";

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
 * the first does. The cost grows with the number of combinations (sites × statuses), each one seek, and with nothing else.
 */
export function readMergedIndex(store: Store, query: MergedIndexQuery): Promise<Position[]> {
  return orNoneThatLong([], () => readPositions(store, query));
}

async function readPositions(store: Store, query: MergedIndexQuery): Promise<Position[]> {
  const { after, limit } = query;
  const runs = (
    await Promise.all(query.prefixes.map((prefix) => findRuns(store, prefix, query.dimensions)))
  ).flat();
  const windows = await Promise.all(
    runs.map((run) =>
      store.list({
        prefix: run,
        limit,
        reverse: true,
        ...(after === undefined ? {} : { before: [...run, ...toPositionParts(after)] as const }),
      }),
    ),
  );
  const positions = windows.flat().map(({ key }) => expectPosition(key));
  positions.sort(comparePositions);
  return positions.filter((position, index) => isFirst(position, positions[index - 1])).slice(0, limit);
}

function isFirst(position: Position, before: Position | undefined): boolean {
  return before === undefined || comparePositions(before, position) !== 0;
}

function expectPosition(key: Key): Position {
  const position = readPosition(key);
  if (position === undefined) throw new Error(`not an index key: ${key.join("/")}`);
  return position;
}
