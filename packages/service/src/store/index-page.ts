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

/**
 * A page ends early where its rows are longer than this together, and has one row at least. A hundred of the largest orders are 76 MB, and
 * an account that asks for them again and again would take the memory of all.
 */
const mostCharacters = 4 * 1024 * 1024;
/** How long they are is told by the first few: of usual rows all the others follow in one read. */
const fewRows = 8;

/** One page of a list that an index keeps in order: a read or two of the index and of the rows, whatever page it is. */
export async function readIndexPage<Row>(
  { store, cursors }: { readonly store: Store; readonly cursors: CursorCodec },
  query: IndexPageQuery<Row>,
): Promise<Page<Row>> {
  const { limit } = query.page;
  const cursor = openCursor(cursors, query);
  const after = cursor.position === undefined ? undefined : readPosition(cursor.position);
  const positions = await readMergedIndex(store, { ...query, after, limit: limit + 1 });
  const texts = await readUntilLong(store, positions.slice(0, limit).map(query.rowKey));
  const last = positions[texts.length - 1];
  const more = positions.length > texts.length && last !== undefined;
  return {
    // A row deleted between the two reads is left out; the cursor stands behind it all the same.
    rows: texts.filter((text) => text !== undefined).map(query.toRow),
    meta: { has_more: more, next_cursor: more ? cursor.seal(toPositionParts(last)) : null },
  };
}

/** The rows of the first of these keys: of as many as a page may show. */
async function readUntilLong(store: Store, rowKeys: readonly Key[]): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  let characters = 0;
  let next = fewRows;
  while (texts.length < rowKeys.length) {
    for (const text of await store.getMany(rowKeys.slice(texts.length, texts.length + next))) {
      const length = text?.length ?? 0;
      if (texts.length > 0 && characters + length > mostCharacters) return texts;
      texts.push(text);
      characters += length;
    }
    const fitting = ((mostCharacters - characters) * texts.length) / Math.max(1, characters);
    next = Math.max(1, Math.floor(fitting));
  }
  return texts;
}
