import {
  attemptSchema,
  consoleWebhookSchema,
  createdConsoleWebhookSchema,
  deletedSchema,
  webhookInputSchema,
} from "@hookwright/domain";
import type { ConsoleWebhook } from "@hookwright/domain";
import type { Service } from "@hookwright/service";
import { pageSuccess, success } from "../../answer/answer.ts";
import { noQuery, pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

type Act = (service: Service, accountId: string, webhookId: string) => Promise<ConsoleWebhook>;

/** What an owner does to a webhook: it answers the webhook as it is then. */
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
    query: noQuery,
    answers: { 200: consoleWebhookSchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, caller, parameter }) =>
      success(await act(service, caller.accountId, parameter("id"))),
  });
}

export const consoleWebhookRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/webhooks",
    operationId: "listConsoleWebhooks",
    summary: "The account's webhooks, with who made them",
    query: pageQuery,
    answers: { 200: consoleWebhookSchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.webhooks.listForConsole(caller.accountId, query)),
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/webhooks",
    operationId: "createConsoleWebhook",
    summary: "Subscribe a URL to an event; it stays when keys are revoked",
    changes: true,
    query: noQuery,
    body: { schema: webhookInputSchema },
    answers: { 200: consoleWebhookSchema, 201: createdConsoleWebhookSchema },
    refusals: ["unknown_event", "invalid_target_url", "invalid_project", "webhook_limit_reached"],
    handle: async ({ service, caller, body }) => {
      const { webhook, created } = await service.webhooks.create(caller, body);
      const shown = await service.webhooks.getForConsole(caller.accountId, webhook.id);
      return success({ ...shown, ...webhook }, { created });
    },
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/webhooks/{id}",
    operationId: "getConsoleWebhook",
    summary: "One webhook",
    query: noQuery,
    answers: { 200: consoleWebhookSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.getForConsole(caller.accountId, parameter("id"))),
  }),
  defineConsoleRoute({
    method: "DELETE",
    path: "/console/api/webhooks/{id}",
    operationId: "deleteConsoleWebhook",
    summary: "Remove a webhook, whatever its state",
    changes: true,
    query: noQuery,
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.remove(caller.accountId, parameter("id"))),
  }),
  defineAction(
    "/console/api/webhooks/{id}/pause",
    "pauseWebhook",
    "Send nothing; what happens meanwhile is never sent",
    ({ webhooks }, accountId, id) => webhooks.pause(accountId, id),
  ),
  defineAction(
    "/console/api/webhooks/{id}/resume",
    "resumeWebhook",
    "Send again after a pause",
    ({ webhooks }, accountId, id) => webhooks.resume(accountId, id),
  ),
  defineAction(
    "/console/api/webhooks/{id}/turn-on",
    "turnWebhookOn",
    "Send again after thirty failures in a row",
    ({ webhooks }, accountId, id) => webhooks.turnOn(accountId, id),
  ),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/webhooks/{id}/test",
    operationId: "testWebhook",
    summary: "Send a test and wait for its answer",
    changes: true,
    sends: true,
    query: noQuery,
    answers: { 200: attemptSchema },
    refusals: ["resource_not_found", "invalid_state", "rate_limited"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.sendTest(caller.accountId, parameter("id"))),
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/webhooks/{id}/rotate",
    operationId: "rotateSecret",
    summary: "Make a new signing secret, shown once; deliveries keep the current one until it is finished",
    changes: true,
    query: noQuery,
    answers: { 201: createdConsoleWebhookSchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.rotate(caller.accountId, parameter("id")), { created: true }),
  }),
  defineAction(
    "/console/api/webhooks/{id}/rotate/finish",
    "finishRotation",
    "Sign every delivery with the new secret",
    ({ webhooks }, accountId, id) => webhooks.finishRotation(accountId, id),
  ),
  defineAction(
    "/console/api/webhooks/{id}/rotate/cancel",
    "cancelRotation",
    "Drop the new secret",
    ({ webhooks }, accountId, id) => webhooks.cancelRotation(accountId, id),
  ),
];
