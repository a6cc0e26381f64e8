import { createdWebhookSchema, deletedSchema, webhookInputSchema, webhookSchema } from "@hookwright/domain";
import { pageSuccess, success } from "../response/api-response.ts";
import { pageQuery } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const webhookRoutes = [
  defineAccountRoute("GET", "/v1/webhooks", {
    operationId: "listWebhooks",
    summary: "The account's webhooks",
    description: "Newest first. The signing secret is not included.",
    right: ["read", "webhooks"],
    reads: "page",
    query: pageQuery,
    answers: { 200: webhookSchema },
    list: true,
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.webhooks.list(caller.accountId, query)),
  }),
  defineAccountRoute("POST", "/v1/webhooks", {
    operationId: "createWebhook",
    summary: "Subscribe a URL to events",
    description:
      'Send `event` for one event, or `events` for up to 50 of them or `["*"]`. The response to a new webhook contains its signing secret, only this once. The same URL for the same events again returns the existing webhook with status 200, without the secret. An account has at most 50.',
    right: "webhooks",
    reads: "few",
    body: { schema: webhookInputSchema },
    answers: { 200: webhookSchema, 201: createdWebhookSchema },
    refusals: ["unknown_event", "invalid_target_url", "invalid_project", "webhook_limit_reached"],
    handle: async ({ service, caller, body, origin }) => {
      const { webhook, created } = await service.webhooks.create(caller, body, origin);
      return success(webhook, { created });
    },
  }),
  defineAccountRoute("GET", "/v1/webhooks/{id}", {
    operationId: "getWebhook",
    summary: "One webhook",
    description:
      "It has its state and its number of failures in a row. After six failures the account gets a warning e-mail, after thirty by default the webhook is disabled.",
    right: ["read", "webhooks"],
    reads: "few",
    answers: { 200: webhookSchema },
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.get(caller.accountId, parameter("id"))),
  }),
  defineAccountRoute("DELETE", "/v1/webhooks/{id}", {
    operationId: "deleteWebhook",
    summary: "Remove a webhook",
    description: "Pending deliveries are cancelled. A second delete gives `resource_not_found`.",
    right: "webhooks",
    reads: "few",
    answers: { 200: deletedSchema },
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.webhooks.remove(caller.accountId, parameter("id"), origin)),
  }),
];
