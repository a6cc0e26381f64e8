import { noticeTargetChangesSchema, noticeTargetInputSchema } from "@hookwright/domain";
import { onePage, pageSuccess, success } from "../../response/api-response.ts";
import { linkHeaders } from "../../response/link-headers.ts";
import { defineConsoleRoute, definePublicRoute } from "../../routing/define-route.ts";

/** The receivers of notices that an account chooses. */
export const consoleNoticeRoutes = [
  defineConsoleRoute("GET", "/console/api/notice-targets", {
    right: "read",
    reads: "few",
    handle: async ({ service, caller }) =>
      pageSuccess({ rows: await service.noticeTargets.list(caller.accountId), meta: onePage }),
  }),
  defineConsoleRoute("POST", "/console/api/notice-targets", {
    right: "webhooks",
    reads: "few",
    body: { schema: noticeTargetInputSchema },
    handle: async ({ service, caller, body, origin }) =>
      success(await service.noticeTargets.create(caller.accountId, body, origin), { created: true }),
  }),
  defineConsoleRoute("PATCH", "/console/api/notice-targets/{id}", {
    right: "webhooks",
    reads: "few",
    body: { schema: noticeTargetChangesSchema },
    handle: async ({ service, caller, parameter, body, origin }) =>
      success(await service.noticeTargets.update(caller.accountId, parameter("id"), body, origin)),
  }),
  defineConsoleRoute("DELETE", "/console/api/notice-targets/{id}", {
    right: "webhooks",
    reads: "few",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.noticeTargets.remove(caller.accountId, parameter("id"), origin)),
  }),
  defineConsoleRoute("POST", "/console/api/notice-targets/{id}/test", {
    right: "webhooks",
    reads: "few",
    sends: true,
    handle: async ({ service, caller, parameter }) =>
      success(await service.noticeTargets.test(caller.accountId, parameter("id"))),
  }),
  defineConsoleRoute("POST", "/console/api/notice-targets/{id}/confirmation", {
    right: "webhooks",
    reads: "few",
    sends: true,
    handle: async ({ service, caller, parameter }) =>
      success(await service.noticeTargets.resendConfirmation(caller.accountId, parameter("id"))),
  }),
  /** What the link of a mail confirms. It needs no sign-in. */
  definePublicRoute("GET", "/console/api/notice-confirmations/{token}", {
    handle: async ({ service, parameter, client }) => ({
      ...success(await service.noticeTargets.describeConfirmation(parameter("token"), client())),
      headers: linkHeaders,
    }),
  }),
  /** Mail scanners follow links, so only a person's click on the page confirms an address. */
  definePublicRoute("POST", "/console/api/notice-confirmations/{token}", {
    handle: async ({ service, parameter, client }) => ({
      ...success(await service.noticeTargets.confirm(parameter("token"), client())),
      headers: linkHeaders,
    }),
  }),
  /** What the link of a mail stops. It needs no sign-in. */
  definePublicRoute("GET", "/console/api/notice-stops/{token}", {
    handle: async ({ service, parameter, client }) => ({
      ...success(await service.noticeTargets.describeStop(parameter("token"), client())),
      headers: linkHeaders,
    }),
  }),
  /** Mail scanners follow links, so only a person's click on the page stops the mails. */
  definePublicRoute("POST", "/console/api/notice-stops/{token}", {
    handle: async ({ service, parameter, client }) => ({
      ...success(await service.noticeTargets.stop(parameter("token"), client())),
      headers: linkHeaders,
    }),
  }),
];
