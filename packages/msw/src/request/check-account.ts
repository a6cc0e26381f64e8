import { expectIntegrations, HookwrightError } from "@hookwright/domain";
import type { HostAccount } from "@hookwright/domain";
import type { Operation } from "../routing/operation.ts";

/**
 * Whether the account may use an operation, in the contract's order: suspended, plan, demo.
 *
 * @throws HookwrightError `account_unavailable`, `plan_required`, `read_only_demo`
 */
export function checkAccount(account: HostAccount, { needs, changes }: Operation): void {
  expectIntegrations(account);
  if (needs === "crm" && !account.plan.crm)
    throw new HookwrightError("plan_required", "The account's plan does not include the CRM.");
  if (changes && account.demo)
    throw new HookwrightError("read_only_demo", "The demo account cannot change anything.");
}
