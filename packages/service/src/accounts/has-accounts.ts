import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";

/**
 * Whether a store has any account. A store without one is new, or its data was lost.
 *
 * @throws StorageError if the storage fails
 */
export async function hasAccounts(store: Store): Promise<boolean> {
  const [, table] = keys.account("");
  const found = await Promise.all(
    partitions.map((partition) => store.list({ prefix: [partition, String(table)], limit: 1 })),
  );
  return found.some((entries) => entries.length > 0);
}
