import type { CursorCodec } from "@hookwright/cursor";
import type { Key, Store } from "@hookwright/storage";
import type { Page, PageRequest } from "../use-cases.ts";
import { openCursor } from "./page-cursor.ts";

export interface IdPageQuery<Row> {
  readonly accountId: string;
  readonly list: string;
  /** @default none */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  readonly page: PageRequest;
  /** What lies under it is keyed by an id of our own making, which is ordered by time. */
  readonly prefix: Key;
  /** What comes before it is not shown, though it may be there still. @default all is shown */
  readonly since?: string;
  /** Where the rows are, when what lies under the prefix are index entries. @default the entries are the rows */
  readonly rowKey?: (id: string) => Key;
  readonly toRow: (text: string) => Row;
}

/** One page of rows whose ids carry their time: no position but the id is needed. */
export async function readIdPage<Row>(
  { store, cursors }: { readonly store: Store; readonly cursors: CursorCodec },
  query: IdPageQuery<Row>,
): Promise<Page<Row>> {
  const { prefix, since, rowKey, toRow } = query;
  const { limit } = query.page;
  const cursor = openCursor(cursors, { filters: {}, ...query });
  const before = cursor.position?.[0];
  const entries = await store.list({
    prefix,
    limit: limit + 1,
    reverse: true,
    after: since === undefined ? undefined : [...prefix, since],
    before: before === undefined ? undefined : [...prefix, before],
  });
  const shown = entries.slice(0, limit);
  const last = shown.at(-1)?.key.at(-1);
  const more = entries.length > limit && last !== undefined;
  const texts =
    rowKey === undefined
      ? shown.map(({ value }) => value)
      : await store.getMany(shown.map(({ key }) => rowKey(String(key.at(-1)))));
  return {
    // A row deleted between the two reads is left out; the cursor stands behind it all the same.
    rows: texts.filter((text) => text !== undefined).map(toRow),
    meta: { has_more: more, next_cursor: more ? cursor.seal([last]) : null },
  };
}
