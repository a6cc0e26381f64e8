import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, ListOptions, Store } from "../port.ts";

export interface PagesOptions extends Omit<ListOptions, "limit"> {
  /** Entries, or groups, in one page. @default 100 */
  readonly pageSize?: number | undefined;
  /** No more entries are read. @default no limit */
  readonly maximum?: number | undefined;
}

/**
 * Lists entries page by page, so that a scan holds few of them. Other work runs between two pages: a store that reads in this thread
 * never waits.
 *
 * @returns pages with at least one entry
 */
export async function* listPages(
  store: Store,
  { pageSize = 100, maximum = Number.POSITIVE_INFINITY, ...options }: PagesOptions,
): AsyncGenerator<readonly Entry[]> {
  let { after, before } = options;
  for (let left = maximum; left > 0;) {
    const limit = Math.min(pageSize, left);
    const entries = await store.list({ ...options, after, before, limit });
    if (entries.length > 0) yield entries;
    if (entries.length < limit) return;
    left -= limit;
    if (options.reverse === true) before = entries.at(-1)?.key;
    else after = entries.at(-1)?.key;
    await nextTurn();
  }
}
