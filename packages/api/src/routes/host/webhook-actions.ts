import {
  webhookActionInputSchema,
  webhookActionPreviewSchema,
  webhookActionSchema,
} from "@hookwright/domain";
import { isDryRun } from "../../request/is-dry-run.ts";
import { pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

/** What the operator does to many webhooks (contract: The host API). */
export const hostWebhookActionRoutes = [
  defineHostRoute("POST", "/host/v1/webhooks/actions", {
    operationId: "startWebhookAction",
    summary: "Change all webhooks that a filter matches",
    description:
      "It turns them on, pauses, resumes, disables or enables them, in the background. With `dry_run` it only counts them, and the status is 200.",
    scope: "manage",
    reads: "scan",
    body: { schema: webhookActionInputSchema },
    answers: { 200: webhookActionPreviewSchema, 201: webhookActionSchema },
    handle: async ({ service: { webhookActions }, body, origin }) =>
      isDryRun(body)
        ? success(await webhookActions.preview(body))
        : success(await webhookActions.start(body, origin), { created: true }),
  }),
  defineHostRoute("GET", "/host/v1/webhooks/actions", {
    operationId: "listWebhookActions",
    summary: "The actions on many webhooks",
    description: "The newest is first.",
    scope: "read",
    reads: "page",
    query: pageQuery,
    list: true,
    answers: { 200: webhookActionSchema },
    handle: async ({ service, query }) => pageSuccess(await service.webhookActions.list(query)),
  }),
  defineHostRoute("GET", "/host/v1/webhooks/actions/{id}", {
    operationId: "getWebhookAction",
    summary: "One action on many webhooks",
    description: "The response shows its progress.",
    scope: "read",
    reads: "few",
    answers: { 200: webhookActionSchema },
    handle: async ({ service, parameter }) => success(await service.webhookActions.get(parameter("id"))),
  }),
  defineHostRoute("POST", "/host/v1/webhooks/actions/{id}/stop", {
    operationId: "stopWebhookAction",
    summary: "Stop an action on many webhooks",
    description: "What it has changed stays.",
    scope: "manage",
    reads: "few",
    answers: { 200: webhookActionSchema },
    refusals: ["invalid_state"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.webhookActions.stop(parameter("id"), origin)),
  }),
];
