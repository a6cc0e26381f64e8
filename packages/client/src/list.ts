import { ClientError } from "./client-error.ts";
import type { CallOptions } from "./options.ts";

/** The `meta` of a page, as it is on the wire. */
export interface PageMeta {
  readonly has_more: boolean;
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: PageMeta;
}

/** What every paginated list takes, in the names of the wire. */
export interface ListQuery {
  /** Rows of a page, 1 to 100. A large one saves requests, of which an account has 200 a minute. @default 25 */
  readonly limit?: number | undefined;
}

export interface PageStart {
  /**
   * `meta.next_cursor` of an earlier page with the same filters. Cursors do not expire. Null, as the last page has it, is
   * the place behind all rows: nothing is there, and nothing is asked for. @default the first page
   */
  readonly cursor?: string | null | undefined;
}

/**
 * A list of the API. Making it asks for nothing. Iterating it walks all pages, newest rows first, and asks for a page when
 * its first row is wanted: leaving the loop ends the requests.
 *
 * @example
 * for await (const order of client.orders.list({ status: "paid" })) {
 *   if (order.created_at < since) break;
 *   console.log(order.number);
 * }
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** One page. */
  page(start?: PageStart): Promise<Page<Item>>;
  /** Page by page; keep `meta.next_cursor` to go on later. */
  pages(start?: PageStart): AsyncGenerator<Page<Item>, void, undefined>;
  /** All rows, in memory at once: for lists that are known to be short. */
  toArray(): Promise<Item[]>;
}

/** Without a cursor it is the first page. */
export type FetchPage<Item> = (cursor: string | undefined, options: CallOptions) => Promise<Page<Item>>;

const nothingBehind: Page<never> = { data: [], meta: { has_more: false, next_cursor: null } };

export function createList<Item>(fetchPage: FetchPage<Item>, options: CallOptions): List<Item> {
  async function* pages({ cursor }: PageStart = {}): AsyncGenerator<Page<Item>, void, undefined> {
    const seen = new Set<string>();
    let next = cursor;
    while (next !== null) {
      // Otherwise the walk goes round for ever, and spends the account's requests.
      if (next !== undefined && seen.has(next))
        throw new ClientError("unexpected_answer", "A page names one as the next that was there before.");
      if (next !== undefined) seen.add(next);
      const page = await fetchPage(next, options);
      yield page;
      next = page.meta.has_more ? page.meta.next_cursor : null;
    }
  }

  async function* rows(): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of pages()) yield* data;
  }

  return {
    async page({ cursor } = {}) {
      return cursor === null ? nothingBehind : fetchPage(cursor, options);
    },
    pages,
    async toArray() {
      const all: Item[] = [];
      for await (const row of rows()) all.push(row);
      return all;
    },
    [Symbol.asyncIterator]: rows,
  };
}
