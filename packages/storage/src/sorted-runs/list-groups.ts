import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, Key, Store } from "../port.ts";

/** Groups in one page. */
const pageSize = 64;

/**
 * Lists the first entry of each group below a prefix, page by page. Other work runs between two pages.
 *
 * @param groupBy a group is all keys that agree in this many parts after the prefix
 */
export async function* listGroups(
  store: Store,
  { prefix, groupBy }: { readonly prefix: Key; readonly groupBy: number },
): AsyncGenerator<Entry[]> {
  let after: Key | undefined;
  for (;;) {
    const entries = await store.list({ prefix, groupBy, limit: pageSize, after });
    if (entries.length > 0) yield entries;
    after = entries.at(-1)?.key;
    if (entries.length < pageSize) return;
    await nextTurn();
  }
}
