import { recoveryInputSchema, recoveryPreviewSchema, recoverySchema } from "@hookwright/domain";
import { z } from "zod";
import { pageSuccess, success } from "../../response/api-response.ts";
import { filter, noQuery, pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

/** The fields of a recovery's input as parameters. `since` is required. */
const previewQuery = z.object({
  since: filter(
    "Deliveries that ended, and events published, at this time or later.",
    "2026-11-20T09:30:00Z",
  ),
  until: filter("Deliveries created, and events published, before this time.", "2026-11-20T11:30:00Z"),
  statuses: filter("How the deliveries ended, separated by commas. Default: both.", "failed,cancelled"),
  missed: z
    .enum(["true", "false"], "must be `true` or `false`")
    .optional()
    .meta({ description: "Whether missed events are sent.", example: "true" }),
});

export const consoleRecoveryRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/webhooks/{id}/recoveries",
    operationId: "listRecoveries",
    summary: "The recoveries of a webhook",
    reads: "page",
    query: pageQuery,
    answers: { 200: recoverySchema },
    list: true,
    refusals: ["resource_not_found", "invalid_cursor"],
    handle: async ({ service, caller, parameter, query }) =>
      pageSuccess(await service.webhooks.listRecoveries(caller.accountId, parameter("id"), query)),
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/webhooks/{id}/recoveries",
    operationId: "recoverWebhook",
    summary:
      "Send again what failed or was cancelled since a time. An event that was accepted since is not sent.",
    changes: true,
    sends: true,
    reads: "scan",
    query: noQuery,
    body: { schema: recoveryInputSchema },
    answers: { 201: recoverySchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, caller, parameter, body, origin }) =>
      success(await service.webhooks.recover(caller.accountId, parameter("id"), body, origin), {
        created: true,
      }),
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/webhooks/{id}/recoveries/preview",
    operationId: "previewRecovery",
    summary: "What a recovery would send again if it started now",
    reads: "scan",
    query: previewQuery,
    answers: { 200: recoveryPreviewSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter, query: { since, until, statuses, missed } }) => {
      const input = { since, until, statuses: statuses?.split(","), missed: missed === "true" };
      return success(await service.webhooks.previewRecovery(caller.accountId, parameter("id"), input));
    },
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/recoveries/{id}",
    operationId: "getRecovery",
    summary: "A recovery and its progress",
    reads: "few",
    query: noQuery,
    answers: { 200: recoverySchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.getRecovery(caller.accountId, parameter("id"))),
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/recoveries/{id}/stop",
    operationId: "stopRecovery",
    summary: "Stop a recovery. Deliveries that it has created are sent.",
    changes: true,
    reads: "few",
    query: noQuery,
    answers: { 200: recoverySchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.webhooks.stopRecovery(caller.accountId, parameter("id"), origin)),
  }),
];
