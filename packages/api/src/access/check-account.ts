import {
  expectIntegrations,
  hasRight,
  HookwrightError,
  isChange,
  listRights,
  readOnlyMessage,
} from "@hookwright/domain";
import type { NeededRight, Right } from "@hookwright/domain";
import type { Caller } from "@hookwright/service";
import type { Route } from "../routing/route.ts";

/**
 * Checks that the caller may use a route, in the contract's order: suspended, plan, demo or read-only session, right. No credential
 * may use a route that declares no right.
 *
 * @throws HookwrightError `account_unavailable`, `plan_required`, `read_only_demo`, `forbidden`
 */
export function checkAccount(
  { account, credential, rights }: Caller,
  { needs, right = [] }: Pick<Route, "needs"> & { readonly right: NeededRight | undefined },
): void {
  expectIntegrations(account);
  if (needs === "crm" && !account.plan.crm) {
    throw new HookwrightError("plan_required", "The account's plan does not include the CRM.");
  }
  if (isReadOnly({ account, credential }) && isChange(right)) {
    throw new HookwrightError("read_only_demo", readOnlyMessage(account));
  }
  if (right !== "any" && !hasRight(rights, right)) {
    const holder = credential.type === "key" ? `the API key "${credential.name}"` : "this console session";
    throw new HookwrightError("forbidden", describeMissing(holder, { owned: rights, needed: right }));
  }
}

/** Whether a request to a route that sends may send. Others must not use up the sends of the account. */
export function maySend(caller: Caller, right: NeededRight = []): boolean {
  return !isReadOnly(caller) && hasRight(caller.rights, right);
}

function isReadOnly({ account, credential }: Pick<Caller, "account" | "credential">): boolean {
  return account.demo || (credential.type === "console" && credential.readOnly === true);
}

/** @param holder names the credential, such as `the API key "Zapier"` */
function describeMissing(
  holder: string,
  { owned, needed }: { readonly owned: readonly Right[]; readonly needed: Exclude<NeededRight, "any"> },
): string {
  const missing = listRights(needed).map(quote).join(" or ");
  return `This needs the right ${missing}, but ${holder} has only ${owned.map(quote).join(", ")}.`;
}

function quote(right: Right): string {
  return `"${right}"`;
}
