import type { Key } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import type { Page, PageRequest } from "../use-cases.ts";
import { openCursor } from "./page-cursor.ts";

export interface IdPageQuery<Row> {
  readonly accountId: string;
  readonly list: string;
  readonly page: PageRequest;
  /** Rows under it are keyed by an id of our own making, which is ordered by time. */
  readonly prefix: Key;
  readonly toRow: (text: string) => Row;
}

/** One page of rows whose ids carry their time: the rows are the list. */
export async function readIdPage<Row>(
  { store, cursors }: Pick<ServiceContext, "store" | "cursors">,
  query: IdPageQuery<Row>,
): Promise<Page<Row>> {
  const { limit } = query.page;
  const cursor = openCursor(cursors, { ...query, filters: {} });
  const before = cursor.position?.[0];
  const entries = await store.list({
    prefix: query.prefix,
    limit: limit + 1,
    reverse: true,
    ...(before === undefined ? {} : { before: [...query.prefix, before] }),
  });
  const shown = entries.slice(0, limit);
  const last = shown.at(-1)?.key.at(-1);
  const more = entries.length > limit && last !== undefined;
  return {
    rows: shown.map(({ value }) => query.toRow(value)),
    meta: { has_more: more, next_cursor: more ? cursor.seal([last]) : null },
  };
}
