import { expectIntegrations, HookwrightError } from "@hookwright/domain";
import type { Caller } from "@hookwright/service";
import type { Route } from "../routing/route.ts";

/**
 * Checks that the caller's account may use a route, in the contract's order: suspended, plan, demo or read-only session.
 *
 * @throws HookwrightError `account_unavailable`, `plan_required`, `read_only_demo`
 */
export function checkAccount(
  { account, credential }: Caller,
  { needs, changes }: Pick<Route, "needs" | "changes">,
): void {
  expectIntegrations(account);
  if (needs === "crm" && !account.plan.crm) {
    throw new HookwrightError("plan_required", "The account's plan does not include the CRM.");
  }
  if (changes && account.demo) {
    throw new HookwrightError("read_only_demo", "The demo account cannot change anything.");
  }
  if (changes && credential.type === "console" && credential.readOnly === true) {
    throw new HookwrightError(
      "read_only_demo",
      "This console session is read-only: it cannot change anything.",
    );
  }
}
