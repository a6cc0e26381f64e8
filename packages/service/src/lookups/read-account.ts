import { HookwrightError, isHostId } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";

/**
 * Reads the row of an account. The id may come from a client, and be too long for a key of the store.
 *
 * @throws HookwrightError `resource_not_found`
 */
export async function readAccount(store: Store, accountId: string): Promise<string> {
  const text = isHostId(accountId) ? await store.get(keys.account(accountId)) : undefined;
  if (text === undefined) throw new HookwrightError("resource_not_found", "No such account.");
  return text;
}
