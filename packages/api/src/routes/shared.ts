import {
  consoleWebhookInputSchema,
  recoveryInputSchema,
  resendInputSchema,
  testInputSchema,
} from "@hookwright/domain";
import { isDryRun } from "../request/is-dry-run.ts";
import { pageQuery } from "../request/query-parameters.ts";
import { onePage, pageSuccess, success } from "../response/api-response.ts";
import { defineSharedRoute } from "../routing/define-route.ts";
import { deliveriesQuery } from "./console/deliveries.ts";

/** What both the console and programs of developers do. An API key sees the webhooks that it created, and their deliveries. */
export const sharedRoutes = [
  /** There is only one page. */
  ...defineSharedRoute("GET", "/event-types", {
    right: "any",
    reads: "few",
    handle: async ({ service }) => pageSuccess({ rows: service.describeEventTypes(), meta: onePage }),
  }),
  ...defineSharedRoute("GET", "/deliveries", {
    right: ["read", "webhooks"],
    reads: "scan",
    query: deliveriesQuery,
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.developer.listDeliveries(caller, filters, { limit, cursor })),
  }),
  ...defineSharedRoute("GET", "/deliveries/{id}", {
    right: ["read", "webhooks"],
    reads: "scan",
    handle: async ({ service, caller, parameter }) =>
      success(await service.developer.getDelivery(caller, parameter("id"))),
  }),
  /** Sends the current record. */
  ...defineSharedRoute("POST", "/deliveries/{id}/resend", {
    right: "webhooks",
    sends: true,
    reads: "few",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.developer.resend(caller, parameter("id"), origin), { created: true }),
  }),
  /** One of the console stays when keys are revoked. */
  ...defineSharedRoute("POST", "/webhooks", {
    right: "webhooks",
    reads: "few",
    body: { schema: consoleWebhookInputSchema },
    handle: async ({ service, caller, body, origin }) => {
      const { webhook, created } = await service.webhooks.createForConsole(caller, body, origin);
      return success(webhook, { created });
    },
  }),
  /** Sends a test and waits for the response. */
  ...defineSharedRoute("POST", "/webhooks/{id}/test", {
    right: "webhooks",
    sends: true,
    reads: "few",
    body: { schema: testInputSchema, optional: true },
    handle: async ({ service, caller, parameter, body, origin }) =>
      success(await service.developer.sendTest(caller, parameter("id"), body, origin)),
  }),
  ...defineSharedRoute("POST", "/webhooks/{id}/pause", {
    right: "webhooks",
    reads: "scan",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.developer.pause(caller, parameter("id"), origin)),
  }),
  ...defineSharedRoute("POST", "/webhooks/{id}/resume", {
    right: "webhooks",
    reads: "scan",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.developer.resume(caller, parameter("id"), origin)),
  }),
  ...defineSharedRoute("GET", "/webhooks/{id}/recoveries", {
    right: ["read", "webhooks"],
    reads: "page",
    query: pageQuery,
    handle: async ({ service, caller, parameter, query }) =>
      pageSuccess(await service.developer.listRecoveries(caller, parameter("id"), query)),
  }),
  /** Sends again what failed or was cancelled since a time, except events that were accepted since. */
  ...defineSharedRoute("POST", "/webhooks/{id}/recoveries", {
    right: "webhooks",
    sends: true,
    reads: "scan",
    body: { schema: recoveryInputSchema },
    handle: async ({ service, caller, parameter, body, origin }) =>
      success(await service.developer.recover(caller, parameter("id"), body, origin), { created: true }),
  }),
  ...defineSharedRoute("GET", "/recoveries/{id}", {
    right: ["read", "webhooks"],
    reads: "few",
    handle: async ({ service, caller, parameter }) =>
      success(await service.developer.getRecovery(caller, parameter("id"))),
  }),
  /** Deliveries that it has created are sent. */
  ...defineSharedRoute("POST", "/recoveries/{id}/stop", {
    right: "webhooks",
    reads: "few",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.developer.stopRecovery(caller, parameter("id"), origin)),
  }),
  /** Sends again what a filter matches, in the background. With `dry_run` it only counts, and is no send under the rate limit. */
  ...defineSharedRoute("POST", "/resends", {
    right: "webhooks",
    reads: "scan",
    body: { schema: resendInputSchema },
    async handle({ service: { developer }, caller, body, origin, countSend }) {
      if (isDryRun(body)) return success(await developer.previewResend(caller, body));
      await countSend();
      return success(await developer.startResend(caller, body, origin), { created: true });
    },
  }),
  ...defineSharedRoute("GET", "/resends", {
    right: ["read", "webhooks"],
    reads: "page",
    query: pageQuery,
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.developer.listResends(caller, query)),
  }),
  ...defineSharedRoute("GET", "/resends/{id}", {
    right: ["read", "webhooks"],
    reads: "few",
    handle: async ({ service, caller, parameter }) =>
      success(await service.developer.getResend(caller, parameter("id"))),
  }),
  /** Deliveries that it has created are sent. */
  ...defineSharedRoute("POST", "/resends/{id}/stop", {
    right: "webhooks",
    reads: "few",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.developer.stopResend(caller, parameter("id"), origin)),
  }),
];
