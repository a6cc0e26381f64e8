import { expectIntegrations } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { parseAccountRow } from "../rows/account-row.ts";
import { readAccount } from "./read-account.ts";

/**
 * Throws if the account is suspended or its plan has no integrations (contract: Webhooks). Applies to tests and resends.
 *
 * @returns the account's row, for the check of a commit
 * @throws HookwrightError `account_unavailable`, `plan_required`, `resource_not_found`
 */
export async function expectMaySend(store: Store, accountId: string): Promise<string> {
  const text = await readAccount(store, accountId);
  expectIntegrations(parseAccountRow(text));
  return text;
}
