import type { CountOptions, Store } from "../port.ts";
import { listPages } from "./list-pages.ts";

/**
 * Counts the entries whose keys begin with a prefix, at most `limit`. A store that cannot count lists them page by page.
 *
 * @example
 * const waiting = await countEntries(store, { prefix: ["p00", "jobs"], limit: 10_000 });
 */
export async function countEntries(store: Store, options: CountOptions): Promise<number> {
  if (store.count !== undefined) return store.count(options);
  let count = 0;
  const { prefix, limit: maximum } = options;
  for await (const page of listPages(store, { prefix, maximum, pageSize: 500 })) count += page.length;
  return count;
}
