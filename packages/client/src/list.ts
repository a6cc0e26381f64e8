import { ClientError } from "./client-error.ts";
import type { CallOptions } from "./options.ts";

/** The `meta` of a page. */
export interface PageMeta {
  readonly has_more: boolean;
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: PageMeta;
}

/** The options of every paginated list. */
export interface ListQuery {
  /**
   * Rows per page, 1 to 100. Large pages need fewer requests. An account has 200 requests per minute.
   * @default 25
   */
  readonly limit?: number | undefined;
}

export interface PageStart {
  /**
   * `meta.next_cursor` of an earlier page with the same filters. Cursors do not expire. Null, as on the last
   * page, returns no rows without a request. @default the first page
   */
  readonly cursor?: string | null | undefined;
}

/**
 * A list of the API. Creating it sends no request. Iterating it returns the rows of all pages, newest first.
 * Each page is requested when its first row is needed, so leaving the loop ends the requests.
 *
 * @example
 * for await (const order of client.orders.list({ status: "paid" })) {
 *   if (order.created_at < since) break;
 *   console.log(order.number);
 * }
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** Returns one page. */
  page(start?: PageStart): Promise<Page<Item>>;
  /** Returns all pages. Store `meta.next_cursor` to continue later. */
  pages(start?: PageStart): AsyncGenerator<Page<Item>, void, undefined>;
  /** Returns all rows in memory. For short lists. */
  toArray(): Promise<Item[]>;
}

/** Fetches a page. Without a cursor it is the first one. */
export type FetchPage<Item> = (cursor: string | undefined, options: CallOptions) => Promise<Page<Item>>;

const emptyPage: Page<never> = { data: [], meta: { has_more: false, next_cursor: null } };

export function createList<Item>(fetchPage: FetchPage<Item>, options: CallOptions): List<Item> {
  async function* pages({ cursor }: PageStart = {}): AsyncGenerator<Page<Item>, void, undefined> {
    const seen = new Set<string>();
    let next = cursor;
    while (next !== null) {
      // Otherwise a cursor cycle would use up the account's requests.
      if (next !== undefined && seen.has(next))
        throw new ClientError("unexpected_answer", "A page refers to an earlier page as the next one.");
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
      return cursor === null ? emptyPage : fetchPage(cursor, options);
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
