import { setImmediate as nextRound } from "node:timers/promises";
import type { Entry, Key, KeyPart, Store } from "@hookwright/storage";

export interface NewestOfRunsQuery<Row> {
  /** Sorted runs: the prefixes of their entries. */
  readonly runs: readonly Key[];
  /** The parts behind the prefix of a run: entries that come before them in key order alone. */
  readonly before: readonly KeyPart[] | undefined;
  readonly limit: number;
  readonly toRow: (entry: Entry) => Row;
  /** Newest first, as each run is when it is read from its end; 0 where two runs have the same row, which is answered once. */
  readonly compare: (left: Row, right: Row) => number;
}

/** A run, as far as it has been read from its end. */
interface Reading<Row> {
  readonly run: Key;
  readonly rows: readonly Row[];
  readonly before: Key | undefined;
  readonly isAtEnd: boolean;
}

/** So many entries are read in any case rather than in several rounds. */
const readWithoutAsking = 1_000;
/** Runs looked at at once; then others have their turn. */
const runsAtOnce = 64;

/**
 * The newest rows of several sorted runs, in the end all read at one moment where the store can: what moves from one run to another
 * meanwhile, an order that is paid say, is not missed.
 *
 * Any run may hold all of them, but a page out of a hundred runs must not read ten thousand entries. So where there are many, it
 * is first found out how far each has to be read.
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
    Promise.all(unread.map((each, index) => readFurther(store, query, each, sizes[index] ?? limit)));
  if (runs.length * limit > readWithoutAsking) {
    const readings = await read(await findSizes(store, query, unread));
    const newest = newestOf(readings, query);
    // Else much has come or gone meanwhile.
    if (!readings.some((reading) => mayGoOn(reading, newest, query))) return newest;
  }
  return newestOf(await read([]), query);
}

/** Of each run, how many of its rows are among the newest, and one more, behind which none can be. */
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
    if (!readings.some((reading) => mayGoOn(reading, newest, query))) {
      return readings.map(
        ({ rows }) => 1 + rows.filter((row) => end === undefined || compare(row, end) <= 0).length,
      );
    }
    const further: Reading<Row>[] = [];
    for (let first = 0; first < readings.length; first += runsAtOnce) {
      if (first > 0) await nextRound();
      const some = readings.slice(first, first + runsAtOnce);
      const read = some.map((reading) =>
        mayGoOn(reading, newest, query) ? readFurther(store, query, reading, size) : reading,
      );
      further.push(...(await Promise.all(read)));
    }
    readings = further;
  }
}

async function readFurther<Row>(
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

/** Whether the rest of a run may hold some of the newest. */
function mayGoOn<Row>(
  { rows, isAtEnd }: Reading<Row>,
  newest: readonly Row[],
  { limit, compare }: NewestOfRunsQuery<Row>,
): boolean {
  const end = newest[limit - 1];
  const oldest = rows.at(-1);
  return !isAtEnd && (end === undefined || oldest === undefined || compare(oldest, end) < 0);
}
