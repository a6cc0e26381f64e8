import { webhookChangesSchema } from "@hookwright/domain";
import { z } from "zod";
import { pageSuccess, success } from "../../response/api-response.ts";
import { pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

/** Each returns the webhook's new state. */
const actions = [
  ["pause", "pause"],
  ["turn-on", "turnOn"],
  ["rotate/finish", "finishRotation"],
  ["rotate/cancel", "cancelRotation"],
] as const;

export const consoleWebhookRoutes = [
  defineConsoleRoute("GET", "/console/api/webhooks", {
    reads: "scan",
    query: pageQuery.extend({
      /** Those that were removed in the last 30 days, instead of the others. */
      status: z.literal("removed", "must be `removed`").optional(),
      /** With the last 24 hours of each. */
      include: z.literal("health", "must be `health`").optional(),
    }),
    handle: async ({ service: { overview, webhooks }, caller, query: { include, status, ...page } }) => {
      const { accountId } = caller;
      if (include === "health") return pageSuccess(await overview.listWebhooks(accountId, page, status));
      if (status === "removed") return pageSuccess(await webhooks.listRemoved(accountId, page));
      return pageSuccess(await webhooks.listForConsole(accountId, page));
    },
  }),
  /** Also one that was removed in the last 30 days. */
  defineConsoleRoute("GET", "/console/api/webhooks/{id}", {
    reads: "scan",
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.getForConsole(caller.accountId, parameter("id"))),
  }),
  /** Its secret stays. */
  defineConsoleRoute("PATCH", "/console/api/webhooks/{id}", {
    changes: true,
    reads: "scan",
    body: { schema: webhookChangesSchema },
    handle: async ({ service, caller, parameter, body, origin }) =>
      success(await service.webhooks.update(caller.accountId, parameter("id"), body, origin)),
  }),
  /** In any state. */
  defineConsoleRoute("DELETE", "/console/api/webhooks/{id}", {
    changes: true,
    reads: "few",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.webhooks.remove(caller.accountId, parameter("id"), origin)),
  }),
  /** Deliveries use the current secret until the rotation is finished. */
  defineConsoleRoute("POST", "/console/api/webhooks/{id}/rotate", {
    changes: true,
    reads: "scan",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.webhooks.rotate(caller.accountId, parameter("id"), origin), { created: true }),
  }),
  ...actions.map(([name, act]) =>
    defineConsoleRoute("POST", `/console/api/webhooks/{id}/${name}`, {
      changes: true,
      reads: "scan",
      handle: async ({ service, caller, parameter, origin }) =>
        success(await service.webhooks[act](caller.accountId, parameter("id"), origin)),
    }),
  ),
];
