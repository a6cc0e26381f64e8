import { auditEntrySchema } from "@hookwright/domain";
import { auditQuery } from "../../request/audit-query.ts";
import { pageSuccess } from "../../response/api-response.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

export const consoleAuditRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/audit",
    operationId: "listConsoleAuditLog",
    summary: "Who changed what on this account",
    description:
      "With `action` or `actor`, a request reads a limited number of entries. So a page may be short although `has_more` is true: continue with its cursor.",
    reads: "scan",
    query: auditQuery,
    list: true,
    answers: { 200: auditEntrySchema },
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.audit.listOfAccount(caller.accountId, filters, { limit, cursor })),
  }),
];
