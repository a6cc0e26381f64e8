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
  /** What lies under it is keyed by an id of our own making, which is ordered by time. */
  readonly prefix: Key;
  /** What comes before it is not shown, though it may be there still. @default all is shown */
  readonly since?: string;
  /** Whether an entry belongs to the list, judged by its text. Entries that do not are skipped. @default all do */
  readonly isShown?: (text: string) => boolean;
  /** Where the rows are, when what lies under the prefix are index entries. @default the entries are the rows */
  readonly rowKey?: (id: string) => Key;
  readonly toRow: (text: string) => Row;
}

/** One page of rows whose ids carry their time: no position but the id is needed. */
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
    // A row deleted between the two reads is left out; the cursor stands behind it all the same.
    rows: texts.filter((text) => text !== undefined).map(toRow),
    meta: { has_more: more, next_cursor: more ? cursor.seal([last]) : null },
  };
}

/** Entries read at once after the first window, while a page is not full. */
const furtherWindow = 500;

/** The newest entries of the list, at most one more than the page holds: that one shows that there is another page. */
async function listShown<Row>(
  store: Store,
  { prefix, since, isShown, page }: IdPageQuery<Row>,
  before: string | number | undefined,
): Promise<readonly Entry[]> {
  const wanted = page.limit + 1;
  const shown: Entry[] = [];
  let position: Key | undefined = before === undefined ? undefined : [...prefix, before];
  for (let limit = wanted; ; limit = Math.max(wanted, furtherWindow)) {
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
