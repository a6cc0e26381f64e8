import { createdWebhookSchema, deletedSchema, webhookInputSchema, webhookSchema } from "@hookwright/domain";
import { pageSuccess, success } from "../answer/answer.ts";
import { noQuery, pageQuery } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const webhookRoutes = [
  defineAccountRoute({
    method: "GET",
    path: "/v1/webhooks",
    operationId: "listWebhooks",
    summary: "The account's webhooks",
    description: "Newest first. The signing secret is never shown again.",
    query: pageQuery,
    answers: { 200: webhookSchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.webhooks.list(caller.accountId, query)),
  }),
  defineAccountRoute({
    method: "POST",
    path: "/v1/webhooks",
    operationId: "createWebhook",
    summary: "Subscribe a URL to an event",
    description:
      "The answer to a new webhook holds its signing secret, this once. The same URL for the same event again gives the existing webhook, with status 200 and without the secret. An account has at most 50.",
    changes: true,
    query: noQuery,
    body: { schema: webhookInputSchema },
    answers: { 200: webhookSchema, 201: createdWebhookSchema },
    refusals: ["unknown_event", "invalid_target_url", "invalid_project", "webhook_limit_reached"],
    handle: async ({ service, caller, body }) => {
      const { webhook, created } = await service.webhooks.create(caller, body);
      return success(webhook, { created });
    },
  }),
  defineAccountRoute({
    method: "GET",
    path: "/v1/webhooks/{id}",
    operationId: "getWebhook",
    summary: "One webhook",
    description:
      "With its state and the failures in a row. Six of them warn the account by e-mail, thirty switch the webhook off.",
    query: noQuery,
    answers: { 200: webhookSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.get(caller.accountId, parameter("id"))),
  }),
  defineAccountRoute({
    method: "DELETE",
    path: "/v1/webhooks/{id}",
    operationId: "deleteWebhook",
    summary: "Remove a webhook",
    description: "Pending deliveries are cancelled. Deleting it again gives `resource_not_found`.",
    changes: true,
    query: noQuery,
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.remove(caller.accountId, parameter("id"))),
  }),
];
