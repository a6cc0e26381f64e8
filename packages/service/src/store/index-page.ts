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

/** One page of a list that an index keeps in order: two reads, whatever page it is. */
export async function readIndexPage<Row>(
  { store, cursors }: { readonly store: Store; readonly cursors: CursorCodec },
  query: IndexPageQuery<Row>,
): Promise<Page<Row>> {
  const { limit } = query.page;
  const cursor = openCursor(cursors, query);
  const after = cursor.position === undefined ? undefined : readPosition(cursor.position);
  const positions = await readMergedIndex(store, { ...query, after, limit: limit + 1 });
  const shown = positions.slice(0, limit);
  const last = shown.at(-1);
  const texts = await store.getMany(shown.map(query.rowKey));
  const more = positions.length > limit && last !== undefined;
  return {
    // A row deleted between the two reads is left out; the cursor stands behind it all the same.
    rows: texts.filter((text) => text !== undefined).map(query.toRow),
    meta: { has_more: more, next_cursor: more ? cursor.seal(toPositionParts(last)) : null },
  };
}
