import { requestLogEntrySchema } from "@hookwright/domain";
import { pageSuccess } from "../../response/api-response.ts";
import { filter, pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

export const consoleRequestRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/requests",
    operationId: "listConsoleRequests",
    summary: "Recent requests to the API",
    description:
      "With a filter, a request reads a limited number of rows. So a page may be short although `has_more` is true: continue with its cursor.",
    query: pageQuery.extend({
      key_id: filter("Only requests with this API key.", "key_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
      method: filter("Only requests with this method.", "GET"),
      status: filter("An HTTP status, or a class of them: `2xx`, `4xx` or `5xx`.", "4xx"),
      path: filter("Only requests whose path begins like this.", "/v1/orders"),
    }),
    answers: { 200: requestLogEntrySchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ requestLog, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await requestLog.list(caller.accountId, { limit, cursor }, filters)),
  }),
];
