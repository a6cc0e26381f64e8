import { orderSchema } from "@hookwright/domain";
import { recordPageSuccess, recordSuccess } from "../response/api-response.ts";
import { filter, pageQuery, projectFilter } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

const orderQuery = pageQuery.extend({
  number: filter("The order's number.", "1001"),
  email: filter("The customer's e-mail address, case-insensitive.", "ada@example.com"),
  status: filter("The order's status.", "paid"),
  project_id: projectFilter,
});

export const orderRoutes = [
  defineAccountRoute("GET", "/v1/orders", {
    operationId: "listOrders",
    summary: "The account's orders, newest first",
    description:
      "All filters must match exactly. The e-mail filter is case-insensitive. An unknown `status` gives an empty list, because the set of statuses is open.",
    right: "read",
    reads: "page",
    query: orderQuery,
    answers: { 200: orderSchema },
    list: true,
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      recordPageSuccess(await service.orders.list(caller.accountId, filters, { limit, cursor })),
  }),
  defineAccountRoute("GET", "/v1/orders/{id}", {
    operationId: "getOrder",
    summary: "One order",
    description: "The order in the shape that order webhooks send.",
    right: "read",
    reads: "few",
    answers: { 200: orderSchema },
    handle: async ({ service, caller, parameter }) =>
      recordSuccess(await service.orders.get(caller.accountId, parameter("id"))),
  }),
];
