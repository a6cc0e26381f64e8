import type { Key, Store } from "@hookwright/storage";
import { comparePositions, readPosition, toPositionParts } from "./positions.ts";
import type { Position } from "./positions.ts";

/** Above every other part: strings come after numbers, and no stored text is this one alone. */
const last = "\u{10FFFF}";

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
export async function readMergedIndex(store: Store, query: MergedIndexQuery): Promise<Position[]> {
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

async function findRuns(
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

function expectPosition(key: Key): Position {
  const position = readPosition(key);
  if (position === undefined) throw new Error(`not an index key: ${key.join("/")}`);
  return position;
}
