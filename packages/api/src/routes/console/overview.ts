import { overviewSchema } from "@hookwright/domain";
import { z } from "zod";
import { success } from "../../response/api-response.ts";
import { filter, periodParameter } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

const overviewQuery = z.object({
  period: periodParameter.default("24h"),
  project_id: filter(
    "Only webhooks of this site. Webhooks for all sites are not counted, because their numbers are not kept for each site. `attention` names them too.",
    "site_1",
  ),
  webhook_id: filter("Only this webhook.", "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
});

export const consoleOverviewRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/overview",
    operationId: "getOverview",
    summary: "Deliveries over a period, and the webhooks that need attention",
    reads: "scan",
    query: overviewQuery,
    answers: { 200: overviewSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, query }) =>
      success(await service.overview.get(caller.accountId, query)),
  }),
];
