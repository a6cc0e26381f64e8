import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, Key, KeyPart, Store } from "@hookwright/storage";
import type { Page, PageRequest } from "../use-cases.ts";
import { openCursor } from "./page-cursor.ts";
import type { ListContext } from "./page-cursor.ts";

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
  /** Only entries before this id are in the list. @default all */
  readonly until?: string | undefined;
  /** Whether an entry belongs to the list, by its value. Other entries are skipped. @default all entries belong to the list */
  readonly isShown?: (text: string) => boolean;
  /** Entries that one page reads. A page that stops there may be short, and its cursor continues behind them. @default all */
  readonly maximumScanned?: number | undefined;
  /** The key of a row, if the entries are index entries. @default the entries are the rows */
  readonly rowKey?: (id: string) => Key;
  readonly toRow: (text: string) => Row;
}

/** One page of rows with ids that are ordered by time. The id is the position. */
export async function readIdPage<Row>(
  { store, cursors }: ListContext,
  query: IdPageQuery<Row>,
): Promise<Page<Row>> {
  const { rowKey, toRow } = query;
  const { limit } = query.page;
  const cursor = openCursor(cursors, { filters: {}, ...query });
  const before = cursor.position?.[0] ?? query.until;
  const { entries, stoppedAt } = await listShown(store, query, before);
  const shown = entries.slice(0, limit);
  const next = entries.length > limit ? shown.at(-1)?.key.at(-1) : stoppedAt;
  const texts =
    rowKey === undefined
      ? shown.map(({ value }) => value)
      : await store.getMany(shown.map(({ key }) => rowKey(String(key.at(-1)))));
  return {
    // A row deleted between the two reads is left out. The cursor still counts it.
    rows: texts.filter((text) => text !== undefined).map(toRow),
    meta: cursor.toMeta(next === undefined ? undefined : [next]),
  };
}

/** The number of entries per read after the first one. */
const nextBatchSize = 100;

interface ShownEntries {
  /** At most one more than the page holds. The extra entry shows that there is another page. */
  readonly entries: readonly Entry[];
  /** The id of the last entry that was read, if there may be more. */
  readonly stoppedAt: KeyPart | undefined;
}

/** The newest entries of the list. */
async function listShown<Row>(
  store: Store,
  { prefix, since, isShown, page, maximumScanned = Number.POSITIVE_INFINITY }: IdPageQuery<Row>,
  before: KeyPart | undefined,
): Promise<ShownEntries> {
  const wanted = page.limit + 1;
  const shown: Entry[] = [];
  let scanned = 0;
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
    scanned += entries.length;
    if (shown.length >= wanted || entries.length < limit || position === undefined)
      return { entries: shown.slice(0, wanted), stoppedAt: undefined };
    if (scanned >= maximumScanned) return { entries: shown, stoppedAt: position.at(-1) };
    await nextTurn();
  }
}
