import { expectIntegrations, HookwrightError } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { parseAccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";

/**
 * Webhooks of an account that is suspended, or whose plan has no integrations, rest (contract §5): nobody sends by hand either.
 * Answers the account's row, for commits that depend on it.
 *
 * @throws HookwrightError `account_unavailable`, `plan_required`, `resource_not_found`
 */
export async function expectMaySend(store: Store, accountId: string): Promise<string> {
  const text = await store.get(keys.account(accountId));
  if (text === undefined) throw new HookwrightError("resource_not_found", "No such account.");
  expectIntegrations(parseAccountRow(text));
  return text;
}
