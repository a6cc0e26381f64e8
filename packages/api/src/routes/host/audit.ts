import { auditEntrySchema } from "@hookwright/domain";
import { auditQuery } from "../../request/audit-query.ts";
import { filter } from "../../request/query-parameters.ts";
import { pageSuccess } from "../../response/api-response.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostAuditRoutes = [
  defineHostRoute("GET", "/host/v1/audit", {
    scope: "read",
    operationId: "listAuditLog",
    summary: "Who changed what, over all accounts",
    description:
      "With `action` or `actor`, a request reads a limited number of entries. So a page may be short although `has_more` is true: continue with its cursor.",
    reads: "scan",
    query: auditQuery.extend({ account_id: filter("Only changes of this account.", "acc_1") }),
    list: true,
    answers: { 200: auditEntrySchema },
    handle: async ({ service, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.audit.list(filters, { limit, cursor })),
  }),
];
