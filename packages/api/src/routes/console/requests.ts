import { rateLimitSchema, requestCountsSchema, requestLogEntrySchema } from "@hookwright/domain";
import { pageSuccess, success } from "../../response/api-response.ts";
import { filter, noQuery, pageQuery, periodParameter } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

/** The filters of the request log. */
const requestsQuery = pageQuery.extend({
  key_id: filter("Only requests with this API key.", "key_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
  method: filter("Only requests with this method.", "GET"),
  status: filter("An HTTP status, or a class of them: `2xx`, `4xx` or `5xx`.", "4xx"),
  path: filter("Only requests whose path begins like this.", "/v1/orders"),
  since: filter("Only requests of this time or later.", "2026-11-20T09:30:00Z"),
  until: filter("Only requests before this time.", "2026-11-20T11:30:00Z"),
});

export const consoleRequestRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/requests",
    operationId: "listConsoleRequests",
    summary: "Recent requests to the API",
    description:
      "With a filter, a request reads a limited number of rows. So a page may be short although `has_more` is true: continue with its cursor.",
    reads: "scan",
    query: requestsQuery,
    answers: { 200: requestLogEntrySchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ requestLog, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await requestLog.list(caller.accountId, { limit, cursor }, filters)),
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/requests/counts",
    operationId: "countConsoleRequests",
    summary: "The number of requests of each class of statuses, of the newest 10,000",
    reads: "scan",
    query: requestsQuery.omit({ limit: true, cursor: true }).extend({ period: periodParameter.optional() }),
    answers: { 200: requestCountsSchema },
    handle: async ({ requestLog, caller, query: { period, ...filters } }) =>
      success(await requestLog.count(caller.accountId, filters, period)),
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/rate-limit",
    operationId: "getRateLimit",
    summary: "The rate limit of the account, and what is left of it",
    reads: "few",
    query: noQuery,
    answers: { 200: rateLimitSchema },
    handle: async ({ rateLimit, caller }) => {
      const state = await rateLimit?.read?.(caller.accountId, caller.account.limits.requests_per_minute);
      return success({
        limit: state?.limit ?? null,
        remaining: state?.remaining ?? null,
        reset_seconds: state?.resetSeconds ?? null,
      });
    },
  }),
];
