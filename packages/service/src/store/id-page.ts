import type { CursorCodec } from "@hookwright/cursor";
import type { Entry, Key, Store } from "@hookwright/storage";
import type { Page, PageRequest } from "../use-cases.ts";
import { openCursor } from "./page-cursor.ts";

export interface IdPageQuery<Row> {
  readonly accountId: string;
  readonly list: string;
  /** @default none */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  readonly page: PageRequest;
  /** The prefix of the entries. It is followed by a generated id, which is ordered by time. */
  readonly prefix: Key;
  /** Entries before this id are hidden, although they may still exist. @default no entry is hidden */
  readonly since?: string;
  /** Whether an entry belongs to the list, by its value. Other entries are skipped. @default all entries belong to the list */
  readonly isShown?: (text: string) => boolean;
  /** The key of a row, if the entries are index entries. @default the entries are the rows */
  readonly rowKey?: (id: string) => Key;
  readonly toRow: (text: string) => Row;
}

/** One page of rows with ids that are ordered by time. The id is the position. */
export async function readIdPage<Row>(
  { store, cursors }: { readonly store: Store; readonly cursors: CursorCodec },
  query: IdPageQuery<Row>,
): Promise<Page<Row>> {
  const { rowKey, toRow } = query;
  const { limit } = query.page;
  const cursor = openCursor(cursors, { filters: {}, ...query });
  const before = cursor.position?.[0];
  const entries = await listShown(store, query, before);
  const shown = entries.slice(0, limit);
  const last = shown.at(-1)?.key.at(-1);
  const more = entries.length > limit && last !== undefined;
  const texts =
    rowKey === undefined
      ? shown.map(({ value }) => value)
      : await store.getMany(shown.map(({ key }) => rowKey(String(key.at(-1)))));
  return {
    // A row deleted between the two reads is left out. The cursor still counts it.
    rows: texts.filter((text) => text !== undefined).map(toRow),
    meta: { has_more: more, next_cursor: more ? cursor.seal([last]) : null },
  };
}

/** The number of entries per read after the first one. */
const nextBatchSize = 500;

/** The newest entries of the list, at most one more than the page holds. The extra entry shows that there is another page. */
async function listShown<Row>(
  store: Store,
  { prefix, since, isShown, page }: IdPageQuery<Row>,
  before: string | number | undefined,
): Promise<readonly Entry[]> {
  const wanted = page.limit + 1;
  const shown: Entry[] = [];
  let position: Key | undefined = before === undefined ? undefined : [...prefix, before];
  for (let limit = wanted; ; limit = Math.max(wanted, nextBatchSize)) {
    const entries: readonly Entry[] = await store.list({
      prefix,
      limit,
      reverse: true,
      after: since === undefined ? undefined : [...prefix, since],
      before: position,
    });
    shown.push(...(isShown === undefined ? entries : entries.filter(({ value }) => isShown(value))));
    position = entries.at(-1)?.key;
    if (shown.length >= wanted || entries.length < limit || position === undefined)
      return shown.slice(0, wanted);
  }
}
