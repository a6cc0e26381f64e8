import { receivedInputSchema, shareInputSchema } from "@hookwright/domain";
import { z } from "zod";
import { onePage, pageSuccess, success } from "../../response/api-response.ts";
import { exportedAtOnce, exportFormat } from "../../response/export-response.ts";
import { filter, pageQuery } from "../../request/query-parameters.ts";
import { linkHeaders } from "../../response/link-headers.ts";
import { defineConsoleRoute, definePublicRoute } from "../../routing/define-route.ts";
import { exportList } from "./export-list.ts";

/** The filters of the delivery log. */
export const deliveriesQuery = pageQuery.extend({
  webhook_id: filter("Only deliveries of this webhook.", "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
  event: filter("Only deliveries of this event.", "order.created"),
  status: filter("`pending`, `delivered`, `failed` or `cancelled`.", "failed"),
  outcome: filter(
    "Only events that were `delivered`, also by a resend, or are `pending`, `failed` or `cancelled`. One delivery for each event and webhook.",
    "failed",
  ),
  project_id: filter("Only deliveries of this site.", "site_1"),
  kind: filter("`event`, `resend` or `test`.", "event"),
  since: filter("Only deliveries created at this time or later.", "2026-11-20T09:30:00Z"),
  until: filter("Only deliveries created before this time.", "2026-11-20T11:30:00Z"),
  http_status: filter("The HTTP status of the newest attempt, 100 to 599.", "503"),
  error: filter("The error class of the newest attempt.", "timeout"),
  issue: filter("Only deliveries with the failure of this issue.", "iss_7c41a0f39d1e6b7c8d21019a"),
  attempts_min: filter("Only deliveries with at least this number of attempts, 1 to 100.", "2"),
  q: filter(
    "The id of a delivery, record or body, or its beginning; an order number, an e-mail address, or a part of the name or URL of a webhook; in any case.",
    "ord_1001",
  ),
});

/** The fields of a recovery's input as parameters. `since` is required. */
const previewQuery = z.object({
  since: filter(
    "Deliveries that ended, and events published, at this time or later.",
    "2026-11-20T09:30:00Z",
  ),
  until: filter("Deliveries created, and events published, before this time.", "2026-11-20T11:30:00Z"),
  statuses: filter("How the deliveries ended, separated by commas. Default: both.", "failed,cancelled"),
  missed: z.enum(["true", "false"], "must be `true` or `false`").optional(),
});

const exportColumns = [
  "id",
  "created_at",
  "completed_at",
  "status",
  "kind",
  "event",
  "record_id",
  "body_id",
  "project_id",
  "webhook_id",
  "target_url",
  "attempts_made",
  "next_attempt_at",
  "last_status",
  "last_error",
  "last_duration_ms",
  "last_queued_ms",
  "last_dns_ms",
  "last_connect_ms",
  "last_tls_ms",
  "last_wait_ms",
  "last_read_ms",
  "last_result",
  "cancel_reason",
  "resent_from",
] as const;

/** 0 if it is no number of an attempt. */
function toNumber(text: string): number {
  return /^[1-9][0-9]{0,8}$/u.test(text) ? Number(text) : 0;
}

export const consoleDeliveryRoutes = [
  /** All that the filters match, newest first, as a file. */
  defineConsoleRoute("GET", "/console/api/deliveries/export", {
    right: "read",
    reads: "scan",
    query: deliveriesQuery.omit({ limit: true, cursor: true }).extend({ format: exportFormat }),
    async handle(request) {
      const { format, ...filters } = request.query;
      const readPage = await request.service.deliveries.export(request.caller.accountId, filters);
      return exportList(request, {
        name: "deliveries",
        format,
        columns: exportColumns,
        readPage: (cursor) => readPage({ limit: exportedAtOnce, cursor }),
      });
    },
  }),
  /** The newest records and deliveries that a text names, each with what of it matched. */
  defineConsoleRoute("GET", "/console/api/search", {
    right: "read",
    reads: "scan",
    query: deliveriesQuery.pick({ q: true }),
    handle: async ({ service, caller, query: { q } }) =>
      success(await service.search.account(caller.accountId, q)),
  }),
  /** The number of events with each outcome, or with `kind` or `status` the number of deliveries of each status, at most 10,000. */
  defineConsoleRoute("GET", "/console/api/deliveries/counts", {
    right: "read",
    reads: "scan",
    query: deliveriesQuery.omit({ limit: true, cursor: true }),
    handle: async ({ service, caller, query }) =>
      success(await service.deliveries.count(caller.accountId, query)),
  }),
  /** The other deliveries of the same event. There is only one page. */
  defineConsoleRoute("GET", "/console/api/deliveries/{id}/related", {
    right: "read",
    reads: "page",
    handle: async ({ service, caller, parameter }) =>
      pageSuccess({
        rows: await service.deliveries.listRelated(caller.accountId, parameter("id")),
        meta: onePage,
      }),
  }),
  /** The exact bytes that an attempt signed and sent, without an envelope, with the content type of that request. */
  defineConsoleRoute("GET", "/console/api/deliveries/{id}/attempts/{n}/body", {
    right: "read",
    reads: "few",
    handle: async ({ service, caller, parameter }) => ({
      status: 200,
      ...(await service.deliveries.getAttemptBody(
        caller.accountId,
        parameter("id"),
        toNumber(parameter("n")),
      )),
    }),
  }),
  /** Where what an endpoint received differs from what an attempt sent, and the likely cause. */
  defineConsoleRoute("POST", "/console/api/deliveries/{id}/attempts/{n}/compare", {
    right: "read",
    reads: "few",
    body: { schema: receivedInputSchema },
    handle: async ({ service, caller, parameter, body }) =>
      success(
        await service.deliveries.compare(caller.accountId, parameter("id"), toNumber(parameter("n")), body),
      ),
  }),
  /** A link that shows the delivery to everybody who has it. */
  defineConsoleRoute("POST", "/console/api/deliveries/{id}/share", {
    right: "webhooks",
    reads: "page",
    body: { schema: shareInputSchema },
    handle: async ({ service, caller, parameter, body, origin, basePath, context: { publicUrl } }) =>
      success(
        await service.shares.create(caller.accountId, parameter("id"), body, {
          basePath: publicUrl ?? basePath(),
          origin,
        }),
        { created: true },
      ),
  }),
  /** Those that can be used, oldest first. There is only one page. */
  defineConsoleRoute("GET", "/console/api/deliveries/{id}/shares", {
    right: "read",
    reads: "few",
    handle: async ({ service, caller, parameter }) =>
      pageSuccess({ rows: await service.shares.list(caller.accountId, parameter("id")), meta: onePage }),
  }),
  defineConsoleRoute("DELETE", "/console/api/shares/{id}", {
    right: "webhooks",
    reads: "page",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.shares.remove(caller.accountId, parameter("id"), origin)),
  }),
  /** What a link shows. It needs no sign-in. */
  definePublicRoute("GET", "/console/api/shared/{token}", {
    // All bodies of a delivery are as much as a page.
    reads: "page",
    handle: async ({ service, parameter, client }) => ({
      ...success(await service.shares.open(parameter("token"), client())),
      headers: linkHeaders,
    }),
  }),
  /** What a recovery would send again if it started now. */
  defineConsoleRoute("GET", "/console/api/webhooks/{id}/recoveries/preview", {
    right: "read",
    reads: "scan",
    query: previewQuery,
    handle: async ({ service, caller, parameter, query: { since, until, statuses, missed } }) => {
      const input = { since, until, statuses: statuses?.split(","), missed: missed === "true" };
      return success(await service.webhooks.previewRecovery(caller.accountId, parameter("id"), input));
    },
  }),
];
