import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";

/** `active` or `suspended`: whether the servers of a storage deliver for an account. Undefined where there is no such account. */
export async function readAccountStatus(store: Store, accountId: string): Promise<string | undefined> {
  const text = await store.get([partitionOf(accountId), "account", accountId]);
  if (text === undefined) return undefined;
  const row: { readonly status: string } = JSON.parse(text);
  return row.status;
}
