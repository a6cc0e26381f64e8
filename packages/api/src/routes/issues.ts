import { issueChangeSchema, snoozeInputSchema } from "@hookwright/domain";
import { z } from "zod";
import { filter } from "../request/query-parameters.ts";
import { onePage, pageSuccess, success } from "../response/api-response.ts";
import { defineConsoleRoute, defineSharedRoute } from "../routing/define-route.ts";

const issuesQuery = z.object({
  status: filter("`open`, `acknowledged` or `ignored`. Default: all that are not ignored.", "open"),
  webhook_id: filter("Only issues of this webhook.", "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
  project_id: filter("Only issues of webhooks that this site has.", "site_1"),
  since: filter("Only issues with a failure at this time or later.", "2026-11-20T09:30:00Z"),
  until: filter("Only issues whose first failure was before this time.", "2026-11-20T11:30:00Z"),
});

/** Equal failures, and what people say about them. A key has the issues of the webhooks that it created. */
export const issueRoutes = [
  /** The 200 that came last. */
  ...defineSharedRoute("GET", "/issues", {
    right: ["read", "webhooks"],
    reads: "scan",
    query: issuesQuery,
    handle: async ({ service, caller, query }) =>
      pageSuccess({ rows: await service.issues.list(caller, query), meta: onePage }),
  }),
  ...defineSharedRoute("PATCH", "/issues/{id}", {
    right: "webhooks",
    reads: "few",
    body: { schema: issueChangeSchema },
    handle: async ({ service, caller, parameter, body, origin }) =>
      success(await service.issues.mark(caller, parameter("id"), body, origin)),
  }),
  /** Puts off an alert of the overview. */
  defineConsoleRoute("POST", "/console/api/snoozes", {
    right: "webhooks",
    reads: "few",
    body: { schema: snoozeInputSchema },
    handle: async ({ service, caller, body }) =>
      success(await service.overview.snooze(caller.accountId, body)),
  }),
];
