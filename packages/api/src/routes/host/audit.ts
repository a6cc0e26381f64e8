import { listedAuditEntrySchema } from "@hookwright/domain";
import { auditQuery } from "../../request/audit-query.ts";
import { auditColumns } from "../../response/audit-columns.ts";
import { filter } from "../../request/query-parameters.ts";
import { pageSuccess } from "../../response/api-response.ts";
import { exportedAtOnce, exportFormat, exportResponse } from "../../response/export-response.ts";
import { z } from "zod";
import { defineHostRoute } from "../../routing/define-route.ts";

const query = auditQuery.extend({ account_id: filter("Only changes of this account.", "acc_1") });

export const hostAuditRoutes = [
  defineHostRoute("GET", "/host/v1/audit", {
    scope: "read",
    operationId: "listAuditLog",
    summary: "Who changed what, over all accounts",
    description:
      "With `action` or `actor`, a request reads a limited number of entries. So a page may be short although `has_more` is true: continue with its cursor.",
    reads: "scan",
    query,
    list: true,
    answers: { 200: listedAuditEntrySchema },
    handle: async ({ service, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.audit.list(filters, { limit, cursor })),
  }),
  defineHostRoute("GET", "/host/v1/audit/export", {
    scope: "read",
    operationId: "exportAuditLog",
    summary: "Export the audit log",
    description: "The file has all entries that the filters match, newest first.",
    reads: "scan",
    query: query.omit({ limit: true, cursor: true }).extend({ format: exportFormat }),
    bare: true,
    mediaTypes: ["text/csv", "application/x-ndjson"],
    answers: {
      200: z.string().meta({
        description: "CSV with a heading, or a JSON document in each line.",
        example: "id,at,actor,account_id,…",
      }),
    },
    async handle(request) {
      const { service, context } = request;
      const { format, ...filters } = request.query;
      const readPage = (cursor?: string) => service.audit.list(filters, { limit: exportedAtOnce, cursor });
      return exportResponse({
        name: "audit",
        format,
        columns: [...auditColumns.slice(0, 3), "account_id", ...auditColumns.slice(3)],
        // The first page has the place of the request.
        readPage: (cursor) =>
          cursor === undefined
            ? readPage()
            : context.readGate.runLater("scan", request, () => readPage(cursor)),
      });
    },
  }),
];
