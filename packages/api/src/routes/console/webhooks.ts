import {
  attemptSchema,
  consoleWebhookInputSchema,
  consoleWebhookSchema,
  createdConsoleWebhookSchema,
  deletedSchema,
  listedConsoleWebhookSchema,
  webhookChangesSchema,
} from "@hookwright/domain";
import type { ConsoleWebhook } from "@hookwright/domain";
import type { ChangeOrigin, Service } from "@hookwright/service";
import { z } from "zod";
import { pageSuccess, success } from "../../response/api-response.ts";
import { noQuery, pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

type Act = (
  service: Service,
  accountId: string,
  webhookId: string,
  origin: ChangeOrigin,
) => Promise<ConsoleWebhook>;

/** An action on a webhook. It returns the webhook's new state. */
function defineAction<Path extends `/console/api/webhooks/{id}/${string}`>(
  path: Path,
  operationId: string,
  summary: string,
  act: Act,
) {
  return defineConsoleRoute<`/console/api/webhooks/{id}/${string}`, typeof noQuery>({
    method: "POST",
    path,
    operationId,
    summary,
    changes: true,
    reads: "scan",
    query: noQuery,
    answers: { 200: consoleWebhookSchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, caller, parameter, origin }) =>
      success(await act(service, caller.accountId, parameter("id"), origin)),
  });
}

export const consoleWebhookRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/webhooks",
    operationId: "listConsoleWebhooks",
    summary: "The account's webhooks and who created them",
    reads: "scan",
    query: pageQuery.extend({
      status: z.literal("removed", "must be `removed`").optional().meta({
        description: "`removed`: the webhooks that were removed in the last 30 days, instead of the others.",
        example: "removed",
      }),
      include: z
        .literal("health", "must be `health`")
        .optional()
        .meta({ description: "`health`: also the last 24 hours of each webhook.", example: "health" }),
    }),
    answers: { 200: listedConsoleWebhookSchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service: { overview, webhooks }, caller, query: { include, status, ...page } }) => {
      const { accountId } = caller;
      if (include === "health") return pageSuccess(await overview.listWebhooks(accountId, page, status));
      if (status === "removed") return pageSuccess(await webhooks.listRemoved(accountId, page));
      return pageSuccess(await webhooks.listForConsole(accountId, page));
    },
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/webhooks",
    operationId: "createConsoleWebhook",
    summary: "Subscribe a URL to an event. The webhook stays when keys are revoked.",
    changes: true,
    reads: "few",
    query: noQuery,
    body: { schema: consoleWebhookInputSchema },
    answers: { 200: consoleWebhookSchema, 201: createdConsoleWebhookSchema },
    refusals: [
      "unknown_event",
      "invalid_target_url",
      "invalid_project",
      "invalid_state",
      "webhook_limit_reached",
    ],
    handle: async ({ service, caller, body, origin }) => {
      const { webhook, created } = await service.webhooks.createForConsole(caller, body, origin);
      return success(webhook, { created });
    },
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/webhooks/{id}",
    operationId: "getConsoleWebhook",
    summary: "One webhook, also one that was removed in the last 30 days",
    reads: "scan",
    query: noQuery,
    answers: { 200: consoleWebhookSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.getForConsole(caller.accountId, parameter("id"))),
  }),
  defineConsoleRoute({
    method: "PATCH",
    path: "/console/api/webhooks/{id}",
    operationId: "updateWebhook",
    summary: "Change the name, the URL, the site or the own headers of a webhook. Its secret stays.",
    changes: true,
    reads: "scan",
    query: noQuery,
    body: { schema: webhookChangesSchema },
    answers: { 200: consoleWebhookSchema },
    refusals: ["resource_not_found", "invalid_target_url", "invalid_project", "invalid_state"],
    handle: async ({ service, caller, parameter, body, origin }) =>
      success(await service.webhooks.update(caller.accountId, parameter("id"), body, origin)),
  }),
  defineConsoleRoute({
    method: "DELETE",
    path: "/console/api/webhooks/{id}",
    operationId: "deleteConsoleWebhook",
    summary: "Remove a webhook in any state",
    changes: true,
    reads: "few",
    query: noQuery,
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.webhooks.remove(caller.accountId, parameter("id"), origin)),
  }),
  defineAction(
    "/console/api/webhooks/{id}/pause",
    "pauseWebhook",
    "Pause a webhook. Events that happen meanwhile are sent only by a recovery.",
    ({ webhooks }, accountId, id, origin) => webhooks.pause(accountId, id, origin),
  ),
  defineAction(
    "/console/api/webhooks/{id}/resume",
    "resumeWebhook",
    "Resume a paused webhook",
    ({ webhooks }, accountId, id, origin) => webhooks.resume(accountId, id, origin),
  ),
  defineAction(
    "/console/api/webhooks/{id}/turn-on",
    "turnWebhookOn",
    "Turn on a webhook that was disabled after thirty failures in a row",
    ({ webhooks }, accountId, id, origin) => webhooks.turnOn(accountId, id, origin),
  ),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/webhooks/{id}/test",
    operationId: "testWebhook",
    summary: "Send a test and wait for the response",
    changes: true,
    sends: true,
    reads: "few",
    query: noQuery,
    answers: { 200: attemptSchema },
    refusals: ["resource_not_found", "invalid_state", "rate_limited"],
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.webhooks.sendTest(caller.accountId, parameter("id"), origin)),
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/webhooks/{id}/rotate",
    operationId: "rotateSecret",
    summary:
      "Create a new signing secret and return it once. Deliveries use the current one until the rotation is finished.",
    changes: true,
    reads: "scan",
    query: noQuery,
    answers: { 201: createdConsoleWebhookSchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.webhooks.rotate(caller.accountId, parameter("id"), origin), { created: true }),
  }),
  defineAction(
    "/console/api/webhooks/{id}/rotate/finish",
    "finishRotation",
    "Finish the rotation: sign every delivery with the new secret",
    ({ webhooks }, accountId, id, origin) => webhooks.finishRotation(accountId, id, origin),
  ),
  defineAction(
    "/console/api/webhooks/{id}/rotate/cancel",
    "cancelRotation",
    "Cancel the rotation: drop the new secret",
    ({ webhooks }, accountId, id, origin) => webhooks.cancelRotation(accountId, id, origin),
  ),
];
