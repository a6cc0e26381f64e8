import { z } from "zod";
import { deliveryCountsSchema, deliveryDetailSchema, deliverySchema } from "@hookwright/domain";
import { pageSuccess, success } from "../../response/api-response.ts";
import { filter, noQuery, pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

/** The filters of the delivery log. */
export const deliveriesQuery = pageQuery.extend({
  webhook_id: filter("Only deliveries of this webhook.", "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
  event: filter("Only deliveries of this event.", "order.created"),
  status: filter("`pending`, `delivered`, `failed` or `cancelled`.", "failed"),
  project_id: filter("Only deliveries of this site.", "site_1"),
  kind: filter("`event`, `resend` or `test`.", "event"),
  since: filter("Only deliveries created at this time or later.", "2026-11-20T09:30:00Z"),
  until: filter("Only deliveries created before this time.", "2026-11-20T11:30:00Z"),
  http_status: filter("The HTTP status of the newest attempt, 100 to 599.", "503"),
  error: filter("The error class of the newest attempt.", "timeout"),
  attempts_min: filter("Only deliveries with at least this number of attempts, 1 to 100.", "2"),
  q: filter("The id of a delivery, of a body or of a record.", "order.created_ord_1001"),
});

export const consoleDeliveryRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/deliveries",
    operationId: "listDeliveries",
    summary: "The delivery log",
    reads: "scan",
    query: deliveriesQuery,
    answers: { 200: deliverySchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.deliveries.list(caller.accountId, filters, { limit, cursor })),
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/deliveries/counts",
    operationId: "countDeliveries",
    summary: "The number of deliveries of each status, at most 10,000",
    reads: "scan",
    query: deliveriesQuery.omit({ limit: true, cursor: true }),
    answers: { 200: deliveryCountsSchema },
    handle: async ({ service, caller, query }) =>
      success(await service.deliveries.count(caller.accountId, query)),
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/deliveries/{id}",
    operationId: "getDelivery",
    summary: "One delivery with all its attempts",
    reads: "scan",
    query: noQuery,
    answers: { 200: deliveryDetailSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.deliveries.get(caller.accountId, parameter("id"))),
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/deliveries/{id}/attempts/{n}/body",
    operationId: "getAttemptBody",
    summary: "The exact bytes that an attempt signed and sent",
    description: "The response has no envelope. Its `Content-Type` is that of the request to the endpoint.",
    reads: "few",
    query: noQuery,
    answers: { 200: z.looseObject({ id: z.string().meta({ description: "The body id." }) }) },
    bare: true,
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) => {
      const number = /^[1-9][0-9]{0,8}$/u.test(parameter("n")) ? Number(parameter("n")) : 0;
      return {
        status: 200,
        ...(await service.deliveries.getAttemptBody(caller.accountId, parameter("id"), number)),
      };
    },
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/deliveries/{id}/resend",
    operationId: "resendDelivery",
    summary: "Send the current record again",
    changes: true,
    sends: true,
    reads: "few",
    query: noQuery,
    answers: { 201: deliverySchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.deliveries.resend(caller.accountId, parameter("id"), origin), { created: true }),
  }),
];
