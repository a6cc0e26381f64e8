import { recoveryInputSchema, recoverySchema } from "@hookwright/domain";
import { success } from "../../response/api-response.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostRecoveryRoutes = [
  defineHostRoute({
    method: "POST",
    path: "/host/v1/webhooks/{id}/recoveries",
    operationId: "recoverAnyWebhook",
    summary: "Send again what failed or was cancelled since a time, for support staff",
    scope: "manage",
    reads: "scan",
    query: noQuery,
    body: { schema: recoveryInputSchema },
    answers: { 201: recoverySchema },
    refusals: ["resource_not_found", "invalid_state", "account_unavailable", "plan_required"],
    handle: async ({ service, parameter, body, origin }) =>
      success(await service.webhooks.recoverAny(parameter("id"), body, origin), { created: true }),
  }),
];
