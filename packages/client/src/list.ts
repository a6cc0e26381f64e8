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
  /** `meta.next_cursor` of an earlier page with the same filters. Cursors do not expire. @default the first page */
  readonly cursor?: string | undefined;
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

export type FetchPage<Item> = (start: PageStart, options: CallOptions) => Promise<Page<Item>>;

export function createList<Item>(fetchPage: FetchPage<Item>, options: CallOptions): List<Item> {
  async function* pages(start: PageStart = {}): AsyncGenerator<Page<Item>, void, undefined> {
    let { cursor } = start;
    while (true) {
      const page = await fetchPage({ cursor }, options);
      yield page;
      const { has_more: hasMore, next_cursor: nextCursor } = page.meta;
      if (!hasMore || nextCursor === null) return;
      // It would go on for ever, and spend the account's requests.
      if (nextCursor === cursor)
        throw new ClientError("unexpected_answer", "The page names itself as the next one.");
      cursor = nextCursor;
    }
  }

  async function* rows(): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of pages()) yield* data;
  }

  return {
    page: (start = {}) => fetchPage(start, options),
    pages,
    async toArray() {
      const all: Item[] = [];
      for await (const { data } of pages()) all.push(...data);
      return all;
    },
    [Symbol.asyncIterator]: rows,
  };
}
