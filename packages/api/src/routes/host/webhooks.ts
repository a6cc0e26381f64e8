import {
  attemptSchema,
  consoleWebhookSchema,
  disableInputSchema,
  hostSearchSchema,
  hostStatsSchema,
  hostWebhookSchema,
  limitInputSchema,
  presentWebhookStatuses,
  recoveryInputSchema,
  recoverySchema,
  testInputSchema,
} from "@hookwright/domain";
import { z } from "zod";
import { filter, pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

const webhookStatus = z
  .enum(presentWebhookStatuses, "must be active, paused, switched_off or disabled_by_host")
  .optional()
  .meta({ description: "Only webhooks with this status.", example: "switched_off" });

const webhookOrder = z.enum(["waiting"], "must be waiting").optional().meta({
  description:
    "`waiting`: the webhooks with most waiting deliveries first, on one page. Of equal counts, the one that is due longest. Without it, they are grouped by account.",
  example: "waiting",
});

/** Each returns the webhook's new state. */
const actions = [
  [
    "enable",
    "enable",
    "enableAnyWebhook",
    "Enable a webhook",
    "It gets the status from before. If it was removed, only its URL is allowed again.",
  ],
  ["pause", "pause", "pauseAnyWebhook", "Pause a webhook", "Its owner can resume it."],
  ["resume", "resume", "resumeAnyWebhook", "Resume a webhook", "The webhook must be paused."],
  [
    "turn-on",
    "turnOn",
    "turnAnyWebhookOn",
    "Turn on a webhook",
    "The webhook must have been switched off after too many failures in a row.",
  ],
] as const;

/** What support staff see and do, over all accounts. */
export const hostWebhookRoutes = [
  defineHostRoute("POST", "/host/v1/webhooks/{id}/recoveries", {
    operationId: "recoverAnyWebhook",
    summary: "Recover a webhook",
    description: "It sends again what failed or was cancelled since a time, in the background.",
    scope: "manage",
    reads: "scan",
    body: { schema: recoveryInputSchema },
    answers: { 201: recoverySchema },
    refusals: ["invalid_state", "account_unavailable", "plan_required"],
    handle: async ({ service, parameter, body, origin }) =>
      success(await service.webhooks.recoverAny(parameter("id"), body, origin), { created: true }),
  }),
  defineHostRoute("GET", "/host/v1/webhooks", {
    scope: "read",
    operationId: "listAllWebhooks",
    summary: "All webhooks",
    description: "The list has the webhooks of all accounts, or of one.",
    reads: "scan",
    query: pageQuery.extend({
      account_id: filter("Only webhooks of this account, newest first. Not with `sort`.", "acc_1"),
      status: webhookStatus,
      sort: webhookOrder,
    }),
    list: true,
    answers: { 200: hostWebhookSchema },
    handle: async ({ service, query: { account_id, status, sort, ...page } }) =>
      pageSuccess(await service.webhooks.listAll({ account_id, status, sort }, page)),
  }),
  defineHostRoute("GET", "/host/v1/search", {
    scope: "read",
    operationId: "search",
    summary: "Search all accounts",
    description:
      "It finds accounts, webhooks and deliveries. `q` is a part of the id, the name or the e-mail address of an account, a part of the name or URL of a webhook, the id of a delivery, record or body, or its beginning, an order number, or the e-mail address of a customer. Upper and lower case are equal. Orders are searched as they were published. A request takes about two seconds at most: continue with `meta.next_cursor`.",
    reads: "scan",
    query: z.object({
      q: filter("1 to 512 characters. Parts have at least 3.", "ord_1001").meta({ required: true }),
      cursor: pageQuery.shape.cursor,
    }),
    paged: true,
    answers: { 200: hostSearchSchema },
    async handle({ service, query: { q, cursor } }) {
      const { meta, ...found } = await service.search.all(q, cursor);
      return success(found, { meta });
    },
  }),
  defineHostRoute("GET", "/host/v1/stats", {
    scope: "read",
    operationId: "getStats",
    summary: "Numbers over all accounts",
    reads: "scan",
    answers: { 200: hostStatsSchema },
    handle: async ({ service }) => success(await service.stats()),
  }),
  defineHostRoute("POST", "/host/v1/webhooks/{id}/disable", {
    operationId: "disableAnyWebhook",
    summary: "Disable a webhook",
    description: "Its owner sees the reason, and can neither enable it nor make another one with its URL.",
    scope: "manage",
    reads: "scan",
    body: { schema: disableInputSchema },
    answers: { 200: consoleWebhookSchema },
    refusals: ["invalid_state"],
    handle: async ({ service: { webhooks }, parameter, body, origin }) => {
      const id = parameter("id");
      return success(await webhooks.disable(await webhooks.accountOf(id), id, body, origin));
    },
  }),
  defineHostRoute("POST", "/host/v1/webhooks/{id}/limit", {
    operationId: "limitAnyWebhook",
    summary: "Limit the attempts of a webhook in a second",
    scope: "manage",
    reads: "scan",
    body: { schema: limitInputSchema },
    answers: { 200: consoleWebhookSchema },
    handle: async ({ service: { webhooks }, parameter, body, origin }) => {
      const id = parameter("id");
      return success(await webhooks.limit(await webhooks.accountOf(id), id, body, origin));
    },
  }),
  defineHostRoute("POST", "/host/v1/webhooks/{id}/test", {
    operationId: "testAnyWebhook",
    summary: "Test a webhook",
    description: "It sends a test and waits for the response, also if the operator has disabled the webhook.",
    scope: "manage",
    reads: "scan",
    body: { schema: testInputSchema, optional: true },
    answers: { 200: attemptSchema },
    refusals: ["invalid_state", "account_unavailable", "plan_required", "rate_limited", "unknown_event"],
    handle: async ({ service: { webhooks }, parameter, body, origin }) => {
      const id = parameter("id");
      return success(await webhooks.sendOperatorTest(await webhooks.accountOf(id), id, body, origin));
    },
  }),
  ...actions.map(([name, act, operationId, summary, description]) =>
    defineHostRoute("POST", `/host/v1/webhooks/{id}/${name}`, {
      operationId,
      summary,
      description,
      scope: "manage",
      reads: "scan",
      answers: { 200: consoleWebhookSchema },
      refusals: ["invalid_state"],
      handle: async ({ service: { webhooks }, parameter, origin }) => {
        const id = parameter("id");
        return success(await webhooks[act](await webhooks.accountOf(id), id, origin));
      },
    }),
  ),
];
