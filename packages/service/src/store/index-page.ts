import type { CursorCodec } from "@hookwright/cursor";
import type { Key, Store } from "@hookwright/storage";
import type { Page, PageRequest } from "../use-cases.ts";
import { readMergedIndex } from "./merged-index.ts";
import { openCursor } from "./page-cursor.ts";
import type { ListScope } from "./page-cursor.ts";
import { readPosition, toPositionParts } from "./positions.ts";
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
  { store, cursors }: { readonly store: Store; readonly cursors: CursorCodec },
  query: IndexPageQuery<Row>,
): Promise<Page<Row>> {
  const { limit } = query.page;
  const cursor = openCursor(cursors, query);
  const after = cursor.position === undefined ? undefined : readPosition(cursor.position);
  const positions = await readMergedIndex(store, { ...query, after, limit: limit + 1 });
  const texts = await readUpToMaximumSize(store, positions.slice(0, limit).map(query.rowKey));
  const last = positions[texts.length - 1];
  const more = positions.length > texts.length && last !== undefined;
  return {
    // A row deleted between the two reads is left out. The cursor still counts it.
    rows: texts.filter((text) => text !== undefined).map(query.toRow),
    meta: { has_more: more, next_cursor: more ? cursor.seal(toPositionParts(last)) : null },
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
