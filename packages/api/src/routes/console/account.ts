import { toDeliveryRules } from "@hookwright/domain";
import type { ConsoleAccount } from "@hookwright/domain";
import { pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

/** What each page of the console needs. The routes of `/v1` would count under the limit of the account's programs. */
export const consoleAccountRoutes = [
  /** With the limits in effect, and how much is kept. */
  defineConsoleRoute("GET", "/console/api/account", {
    right: "any",
    reads: "few",
    async handle({ caller: { person = null, role = "viewer", rights, ...caller }, context: { defaults } }) {
      const { status: _, ...account } = caller.account;
      return success({
        ...account,
        person,
        role,
        rights,
        limits: orDefaults(account.limits, defaults.limits),
        retention: orDefaults(account.retention, defaults.retention),
        delivery: toDeliveryRules(account.delivery, defaults.delivery),
      } satisfies ConsoleAccount);
    },
  }),
  defineConsoleRoute("GET", "/console/api/projects", {
    right: "read",
    reads: "page",
    query: pageQuery,
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.projects.list(caller.accountId, query)),
  }),
];

/** Null stands for the default. */
function orDefaults<Values extends Readonly<Record<string, number | string | null>>>(
  own: Values,
  defaults: Values,
): Values {
  const set = Object.entries(own).filter(([, value]) => value !== null);
  return { ...defaults, ...Object.fromEntries(set) };
}
