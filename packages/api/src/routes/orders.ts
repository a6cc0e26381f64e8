import { orderSchema } from "@hookwright/domain";
import { recordPageSuccess, recordSuccess } from "../answer/answer.ts";
import { filter, noQuery, pageQuery, projectFilter } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

const orderQuery = pageQuery.extend({
  number: filter("The order's number.", "1001"),
  email: filter("The customer's e-mail address, without case.", "ada@example.com"),
  status: filter("The order's status.", "paid"),
  project_id: projectFilter,
});

export const orderRoutes = [
  defineAccountRoute({
    method: "GET",
    path: "/v1/orders",
    operationId: "listOrders",
    summary: "The account's orders, newest first",
    description:
      "Filters are exact and all of them must match; the e-mail address is compared without case. An unknown `status` gives an empty list, since the set is open.",
    query: orderQuery,
    answers: { 200: orderSchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      recordPageSuccess(await service.orders.list(caller.accountId, filters, { limit, cursor })),
  }),
  defineAccountRoute({
    method: "GET",
    path: "/v1/orders/{id}",
    operationId: "getOrder",
    summary: "One order",
    description: "In the shape in which the order webhooks send it.",
    query: noQuery,
    answers: { 200: orderSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      recordSuccess(await service.orders.get(caller.accountId, parameter("id"))),
  }),
];
