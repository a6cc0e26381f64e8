import { hostStatsSchema, hostWebhookSchema } from "@hookwright/domain";
import { z } from "zod";
import { noQuery, pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

const webhookStatus = z
  .enum(
    ["active", "paused", "switched_off", "disabled_by_host"],
    "must be active, paused, switched_off or disabled_by_host",
  )
  .optional()
  .meta({ description: "Only webhooks with this status.", example: "switched_off" });

const webhookOrder = z.enum(["waiting"], "must be waiting").optional().meta({
  description:
    "`waiting`: the webhooks with most waiting deliveries first, on one page. Of equal counts, the one that is due longest. Without it, they are grouped by account.",
  example: "waiting",
});

/** What support staff look at, over all accounts. */
export const hostSupportRoutes = [
  defineHostRoute({
    method: "GET",
    scope: "read",
    path: "/host/v1/webhooks",
    operationId: "listAllWebhooks",
    summary: "The webhooks of all accounts",
    reads: "scan",
    query: pageQuery.extend({ status: webhookStatus, sort: webhookOrder }),
    list: true,
    answers: { 200: hostWebhookSchema },
    refusals: ["invalid_cursor"],
    handle: async ({ service, query: { status, sort, ...page } }) =>
      pageSuccess(await service.webhooks.listAll({ status, sort }, page)),
  }),
  defineHostRoute({
    method: "GET",
    scope: "read",
    path: "/host/v1/stats",
    operationId: "getStats",
    summary: "Numbers over all accounts",
    reads: "scan",
    query: noQuery,
    answers: { 200: hostStatsSchema },
    handle: async ({ service }) => success(await service.stats()),
  }),
];
