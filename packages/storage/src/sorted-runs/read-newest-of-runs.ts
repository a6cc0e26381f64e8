import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Entry, Key, KeyPart, Store } from "../port.ts";

export interface NewestOfRunsQuery<Row> {
  /** The prefixes of the sorted runs. */
  readonly runs: readonly Key[];
  /** Key parts after the prefix of a run. Returns only entries that come before them in key order. */
  readonly before: readonly KeyPart[] | undefined;
  readonly limit: number;
  readonly toRow: (entry: Entry) => Row;
  /** Orders rows newest first, like a run that is read backwards. Returns 0 for the same row in two runs, which is returned once. */
  readonly compare: (left: Row, right: Row) => number;
}

/** The part of a run that was read so far, backwards from its end. */
interface Reading<Row> {
  readonly run: Key;
  readonly rows: readonly Row[];
  readonly before: Key | undefined;
  readonly isAtEnd: boolean;
}

/** Up to this number of entries, all runs are read completely in one step. */
const maximumDirectReads = 1_000;
/** The search yields to the event loop after this number of runs. */
const runsPerYield = 64;

/**
 * The newest rows of several sorted runs. The final read covers all runs in one step. So it does not miss a row that moves from one
 * run to another, such as an order that is paid.
 *
 * With many runs, a first step finds out how many entries of each run are needed.
 */
export async function readNewestOfRuns<Row>(store: Store, query: NewestOfRunsQuery<Row>): Promise<Row[]> {
  const { runs, limit } = query;
  const unread = runs.map((run): Reading<Row> => ({
    run,
    rows: [],
    before: query.before && [...run, ...query.before],
    isAtEnd: false,
  }));
  const read = (sizes: readonly number[]): Promise<Reading<Row>[]> =>
    Promise.all(unread.map((each, index) => readMore(store, query, each, sizes[index] ?? limit)));
  if (runs.length * limit > maximumDirectReads) {
    const readings = await read(await findSizes(store, query, unread));
    const newest = newestOf(readings, query);
    // Otherwise the runs have changed since `findSizes()`.
    if (!readings.some((reading) => mayContainNewer(reading, newest, query))) return newest;
  }
  return newestOf(await read([]), query);
}

/** The number of entries to read from each run: its rows among the newest, and one more. */
async function findSizes<Row>(
  store: Store,
  query: NewestOfRunsQuery<Row>,
  unread: readonly Reading<Row>[],
): Promise<number[]> {
  const { limit, compare } = query;
  let readings = unread;
  for (let size = Math.ceil((2 * limit) / unread.length); ; size = Math.min(limit, size * 2)) {
    const newest = newestOf(readings, query);
    const end = newest[limit - 1];
    if (!readings.some((reading) => mayContainNewer(reading, newest, query))) {
      return readings.map(
        ({ rows }) => 1 + rows.filter((row) => end === undefined || compare(row, end) <= 0).length,
      );
    }
    const next: Reading<Row>[] = [];
    for (let first = 0; first < readings.length; first += runsPerYield) {
      if (first > 0) await yieldToEventLoop();
      const batch = readings.slice(first, first + runsPerYield);
      const read = batch.map((reading) =>
        mayContainNewer(reading, newest, query) ? readMore(store, query, reading, size) : reading,
      );
      next.push(...(await Promise.all(read)));
    }
    readings = next;
  }
}

async function readMore<Row>(
  store: Store,
  { toRow }: NewestOfRunsQuery<Row>,
  { run, rows, before }: Reading<Row>,
  size: number,
): Promise<Reading<Row>> {
  const entries = await store.list({ prefix: run, limit: size, reverse: true, before });
  return {
    run,
    rows: [...rows, ...entries.map(toRow)],
    before: entries.at(-1)?.key ?? before,
    isAtEnd: entries.length < size,
  };
}

function newestOf<Row>(readings: readonly Reading<Row>[], { limit, compare }: NewestOfRunsQuery<Row>): Row[] {
  const sorted = readings.flatMap(({ rows }) => rows).sort(compare);
  return sorted.filter((row, index) => isFirst(row, sorted[index - 1], compare)).slice(0, limit);
}

function isFirst<Row>(
  row: Row,
  before: Row | undefined,
  compare: (left: Row, right: Row) => number,
): boolean {
  return before === undefined || compare(before, row) !== 0;
}

/** Whether the unread rest of a run may contain some of the newest rows. */
function mayContainNewer<Row>(
  { rows, isAtEnd }: Reading<Row>,
  newest: readonly Row[],
  { limit, compare }: NewestOfRunsQuery<Row>,
): boolean {
  const end = newest[limit - 1];
  const oldest = rows.at(-1);
  return !isAtEnd && (end === undefined || oldest === undefined || compare(oldest, end) < 0);
}
