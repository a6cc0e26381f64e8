import type { Key, Store } from "@hookwright/storage";
import { findRuns, orNone, readNewestOfRuns } from "@hookwright/storage/sorted-runs";
import type { Page, PageRequest } from "../use-cases.ts";
import { openCursor } from "./page-cursor.ts";
import type { ListContext, ListScope } from "./page-cursor.ts";
import { comparePositions, readPosition, toPositionParts } from "./positions.ts";
import type { Position } from "./positions.ts";

export interface IndexPageQuery<Row> extends ListScope {
  readonly page: PageRequest;
  readonly prefixes: readonly Key[];
  readonly dimensions: readonly (string | undefined)[];
  readonly rowKey: (position: Position) => Key;
  readonly toRow: (text: string) => Row;
}

/** A page ends early if its rows exceed this size, but has at least one row. A hundred orders of maximum size would need 76 MB. */
const maximumCharacters = 4 * 1024 * 1024;
/** The first read estimates the row size. The second read usually gets all other rows. */
const firstBatchSize = 8;

/** One page of a list that is ordered by an index. Every page costs about two reads of the index and two of the rows. */
export async function readIndexPage<Row>(
  { store, cursors }: ListContext,
  query: IndexPageQuery<Row>,
): Promise<Page<Row>> {
  const { limit } = query.page;
  const cursor = openCursor(cursors, query);
  const after = cursor.position === undefined ? undefined : readPosition(cursor.position);
  const positions = await readMergedIndex(store, { ...query, after, limit: limit + 1 });
  const texts = await readUpToMaximumSize(store, positions.slice(0, limit).map(query.rowKey));
  const last = positions[texts.length - 1];
  const hasMore = positions.length > texts.length && last !== undefined;
  return {
    // A row deleted between the two reads is left out. The cursor still counts it.
    rows: texts.filter((text) => text !== undefined).map(query.toRow),
    meta: cursor.toMeta(hasMore ? toPositionParts(last) : undefined),
  };
}

/** Reads rows in order until `maximumCharacters` is reached. */
async function readUpToMaximumSize(store: Store, rowKeys: readonly Key[]): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  let characters = 0;
  let next = firstBatchSize;
  while (texts.length < rowKeys.length) {
    for (const text of await store.getMany(rowKeys.slice(texts.length, texts.length + next))) {
      const length = text?.length ?? 0;
      if (texts.length > 0 && characters + length > maximumCharacters) return texts;
      texts.push(text);
      characters += length;
    }
    const fitting = ((maximumCharacters - characters) * texts.length) / Math.max(1, characters);
    next = Math.max(1, Math.floor(fitting));
  }
  return texts;
}

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
