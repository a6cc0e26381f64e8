import { HookwrightError } from "./errors.ts";
import type { HostAccount, Plan, PlanInput } from "./resources/account.ts";

/** The plan of an account for which the host sends none: everything, without limits. */
export const defaultPlan: Plan = {
  name: "standard",
  integrations: true,
  crm: true,
  monthly_new_subscribers: null,
  blog_posts_per_site: null,
};

/** Returns a plan after the host's PUT. Omitted fields stay. A null limit means "no limit". */
export function mergePlan(existing: Plan | undefined, input: PlanInput | undefined): Plan {
  const before = existing ?? defaultPlan;
  if (input === undefined) return before;
  return {
    name: input.name ?? before.name,
    integrations: input.integrations ?? before.integrations,
    crm: input.crm ?? before.crm,
    monthly_new_subscribers: kept(input.monthly_new_subscribers, before.monthly_new_subscribers),
    blog_posts_per_site: kept(input.blog_posts_per_site, before.blog_posts_per_site),
  };
}

/** Returns whether a plan limit allows one more, after `used`. */
export function fitsLimit(limit: number | null, used: number): boolean {
  return limit === null || used < limit;
}

/**
 * Rejects an account that may not use the API and webhooks. Checks the suspension first, then the plan.
 *
 * @throws HookwrightError `account_unavailable`, `plan_required`
 */
export function expectIntegrations({ status, plan }: Pick<HostAccount, "status" | "plan">): void {
  if (status === "suspended") throw new HookwrightError("account_unavailable", "The account is suspended.");
  if (!plan.integrations)
    throw new HookwrightError("plan_required", "The account's plan does not include integrations.");
}

function kept(sent: number | null | undefined, stored: number | null): number | null {
  return sent === undefined ? stored : sent;
}
