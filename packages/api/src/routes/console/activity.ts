import { toClientNetwork } from "@hookwright/service";
import { z } from "zod";
import { checkAccount } from "../../access/check-account.ts";
import { auditQuery } from "../../request/audit-query.ts";
import { auditColumns } from "../../response/audit-columns.ts";
import { filter, ledgerQuery, pageQuery, periodParameter } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { exportedAtOnce, exportFormat } from "../../response/export-response.ts";
import { eventStream } from "../../response/event-stream.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";
import { exportList } from "./export-list.ts";

const overviewQuery = z.object({
  period: periodParameter.default("24h"),
  project_id: filter("Only events of this site.", "site_1"),
  webhook_id: filter("Only this webhook.", "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
});

/** The filters of the request log. */
const requestsQuery = pageQuery.extend({
  key_id: filter("Only requests with this API key.", "key_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
  method: filter("Only requests with this method.", "GET"),
  status: filter("An HTTP status, or a class of them: `2xx`, `4xx` or `5xx`.", "4xx"),
  path: filter("Only requests whose path begins like this.", "/v1/orders"),
  since: filter("Only requests of this time or later.", "2026-11-20T09:30:00Z"),
  until: filter("Only requests before this time.", "2026-11-20T11:30:00Z"),
});

/** What happened on the account. */
export const consoleActivityRoutes = [
  /** Deliveries over a period, and the webhooks that need attention. */
  defineConsoleRoute("GET", "/console/api/overview", {
    right: "read",
    reads: "scan",
    query: overviewQuery,
    handle: async ({ service, caller, query }) =>
      success(await service.overview.get(caller.accountId, query)),
  }),
  /** What became of the events of a time, as a series and in total. */
  defineConsoleRoute("GET", "/console/api/ledger", {
    right: "read",
    reads: "scan",
    query: ledgerQuery,
    handle: async ({ service, caller, query }) =>
      success(await service.overview.getLedger(caller.accountId, query)),
  }),
  /**
   * Changes as server-sent events. The data of `delivery` and `webhook` is the row that the list returns. `displaced` ends the stream,
   * because the server gives its place to another client. `reset` says that more has changed than was sent: read the lists again.
   */
  defineConsoleRoute("GET", "/console/api/events", {
    right: "read",
    reads: "page",
    handle: async ({ service, caller, token, client }) =>
      eventStream(
        await service.consoleEvents.open({
          network: toClientNetwork(client().clientAddress),
          token,
          caller,
          check: (current) => checkAccount(current, { right: "read" }),
        }),
      ),
  }),
  /** With a filter, a request reads a limited number of rows. So a page may be short although `has_more` is true. */
  defineConsoleRoute("GET", "/console/api/requests", {
    right: "read",
    reads: "scan",
    query: requestsQuery,
    handle: async ({ context: { requestLog }, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await requestLog.list(caller.accountId, { limit, cursor }, filters)),
  }),
  /** All that the filters match, newest first, as a file. */
  defineConsoleRoute("GET", "/console/api/requests/export", {
    right: "read",
    reads: "scan",
    query: requestsQuery.omit({ limit: true, cursor: true }).extend({ format: exportFormat }),
    async handle(request) {
      const { context, caller } = request;
      const { format, ...filters } = request.query;
      return exportList(request, {
        name: "requests",
        format,
        columns: ["id", "created_at", "method", "path", "status", "error_code", "duration_ms", "key_name"],
        readPage: (cursor) =>
          context.requestLog.list(caller.accountId, { limit: exportedAtOnce, cursor }, filters),
      });
    },
  }),
  /** The number of each class of statuses, of the newest 10,000. */
  defineConsoleRoute("GET", "/console/api/requests/counts", {
    right: "read",
    reads: "scan",
    query: requestsQuery.omit({ limit: true, cursor: true }).extend({ period: periodParameter.optional() }),
    handle: async ({ context: { requestLog }, caller, query: { period, ...filters } }) =>
      success(await requestLog.count(caller.accountId, filters, period)),
  }),
  defineConsoleRoute("GET", "/console/api/rate-limit", {
    right: "read",
    reads: "few",
    handle: async ({ context: { rateLimit }, caller }) => {
      const state = await rateLimit?.read?.(caller.accountId, caller.account.limits.requests_per_minute);
      return success({
        limit: state?.limit ?? null,
        remaining: state?.remaining ?? null,
        reset_seconds: state?.resetSeconds ?? null,
      });
    },
  }),
  /** With `action` or `actor`, a request reads a limited number of entries. So a page may be short although `has_more` is true. */
  defineConsoleRoute("GET", "/console/api/audit", {
    right: "read",
    reads: "scan",
    query: auditQuery,
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.audit.listOfAccount(caller.accountId, filters, { limit, cursor })),
  }),
  /** All that the filters match, newest first, as a file. */
  defineConsoleRoute("GET", "/console/api/audit/export", {
    right: "read",
    reads: "scan",
    query: auditQuery.omit({ limit: true, cursor: true }).extend({ format: exportFormat }),
    async handle(request) {
      const { service, caller } = request;
      const { format, ...filters } = request.query;
      return exportList(request, {
        name: "activity",
        format,
        columns: auditColumns,
        readPage: (cursor) =>
          service.audit.listOfAccount(caller.accountId, filters, { limit: exportedAtOnce, cursor }),
      });
    },
  }),
];
