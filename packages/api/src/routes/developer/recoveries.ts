import { recoveryInputSchema, recoverySchema } from "@hookwright/domain";
import { noQuery, pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { defineDeveloperRoute } from "../../routing/define-route.ts";

export const developerRecoveryRoutes = [
  defineDeveloperRoute({
    method: "GET",
    path: "/developer/v1/webhooks/{id}/recoveries",
    operationId: "listDeveloperRecoveries",
    summary: "The recoveries of a webhook",
    reads: "page",
    query: pageQuery,
    answers: { 200: recoverySchema },
    list: true,
    refusals: ["resource_not_found", "invalid_cursor"],
    handle: async ({ service, caller, parameter, query }) =>
      pageSuccess(await service.developer.listRecoveries(caller, parameter("id"), query)),
  }),
  defineDeveloperRoute({
    method: "POST",
    path: "/developer/v1/webhooks/{id}/recoveries",
    operationId: "recoverDeveloperWebhook",
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
      success(await service.developer.recover(caller, parameter("id"), body, origin), { created: true }),
  }),
  defineDeveloperRoute({
    method: "GET",
    path: "/developer/v1/recoveries/{id}",
    operationId: "getDeveloperRecovery",
    summary: "A recovery and its progress",
    reads: "few",
    query: noQuery,
    answers: { 200: recoverySchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.developer.getRecovery(caller, parameter("id"))),
  }),
  defineDeveloperRoute({
    method: "POST",
    path: "/developer/v1/recoveries/{id}/stop",
    operationId: "stopDeveloperRecovery",
    summary: "Stop a recovery. Deliveries that it has created are sent.",
    changes: true,
    reads: "few",
    query: noQuery,
    answers: { 200: recoverySchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.developer.stopRecovery(caller, parameter("id"), origin)),
  }),
];
