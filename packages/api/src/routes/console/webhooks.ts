import { webhookChangesSchema } from "@hookwright/domain";
import type { ConsoleWebhook } from "@hookwright/domain";
import { z } from "zod";
import { pageSuccess, success } from "../../response/api-response.ts";
import { exportedAtOnce, exportFormat } from "../../response/export-response.ts";
import type { Export } from "../../response/export-response.ts";
import { filter, pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";
import { exportList } from "./export-list.ts";

/** Each returns the webhook's new state. */
const actions = [
  ["turn-on", "turnOn"],
  ["rotate/finish", "finishRotation"],
  ["rotate/cancel", "cancelRotation"],
] as const;

/** Those that were removed in the last 30 days, instead of the others. */
const removedStatus = z.literal("removed", "must be `removed`").optional();

const exportColumns: Export<ConsoleWebhook>["columns"] = [
  "id",
  "name",
  "status",
  "status_reason",
  "status_changed_at",
  ["events", ({ events }) => events.join(" ")],
  "target_url",
  "project_id",
  "verified",
  "consecutive_failures",
  "last_success_at",
  "last_failure_at",
  "created_at",
  "removed_at",
];

/** The ids of a list with commas. */
const idsParameter = z
  .string()
  .transform((text) => new Set(text.split(",")))
  .refine(({ size }) => size <= 100, "must name at most 100 webhooks")
  .optional()
  .meta({ description: "Only these webhooks: ids with commas, at most 100.", example: "wh_1,wh_2" });

export const consoleWebhookRoutes = [
  defineConsoleRoute("GET", "/console/api/webhooks", {
    right: "read",
    reads: "scan",
    query: pageQuery.extend({
      status: removedStatus,
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
  /** All that the filters match as a file, newest first, without secrets. */
  defineConsoleRoute("GET", "/console/api/webhooks/export", {
    right: "read",
    reads: "scan",
    query: z.object({
      status: removedStatus,
      ids: idsParameter,
      project_id: filter("Only webhooks that get the events of this site.", "site_1"),
      format: exportFormat,
    }),
    async handle(request) {
      const {
        service: { webhooks },
        caller: { accountId },
        query: { status, ids, project_id: site, format },
      } = request;
      const list = status === "removed" ? webhooks.listRemoved : webhooks.listForConsole;
      return exportList(request, {
        name: "webhooks",
        format,
        columns: exportColumns,
        async readPage(cursor) {
          const { rows, meta } = await list(accountId, { limit: exportedAtOnce, cursor });
          const isShown = ({ id, project_id: own }: ConsoleWebhook): boolean =>
            (ids?.has(id) ?? true) && (site === undefined || own === null || own === site);
          return { rows: rows.filter(isShown), meta };
        },
      });
    },
  }),
  /** Also one that was removed in the last 30 days. */
  defineConsoleRoute("GET", "/console/api/webhooks/{id}", {
    right: "read",
    reads: "scan",
    handle: async ({ service, caller, parameter }) =>
      success(await service.webhooks.getForConsole(caller.accountId, parameter("id"))),
  }),
  /** Its secret stays. */
  defineConsoleRoute("PATCH", "/console/api/webhooks/{id}", {
    right: "webhooks",
    reads: "scan",
    body: { schema: webhookChangesSchema },
    handle: async ({ service, caller, parameter, body, origin }) =>
      success(await service.webhooks.update(caller.accountId, parameter("id"), body, origin)),
  }),
  /** In any state. */
  defineConsoleRoute("DELETE", "/console/api/webhooks/{id}", {
    right: "webhooks",
    reads: "few",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.webhooks.remove(caller.accountId, parameter("id"), origin)),
  }),
  /** Deliveries use the current secret until the rotation is finished. */
  defineConsoleRoute("POST", "/console/api/webhooks/{id}/rotate", {
    right: "webhooks",
    reads: "scan",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.webhooks.rotate(caller.accountId, parameter("id"), origin), { created: true }),
  }),
  ...actions.map(([name, act]) =>
    defineConsoleRoute("POST", `/console/api/webhooks/{id}/${name}`, {
      right: "webhooks",
      reads: "scan",
      handle: async ({ service, caller, parameter, origin }) =>
        success(await service.webhooks[act](caller.accountId, parameter("id"), origin)),
    }),
  ),
];
