import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";

/** Returns `active` or `suspended`, or undefined if the account does not exist. */
export async function readAccountStatus(store: Store, accountId: string): Promise<string | undefined> {
  const text = await store.get([partitionOf(accountId), "account", accountId]);
  if (text === undefined) return undefined;
  const row: { readonly status: string } = JSON.parse(text);
  return row.status;
}
