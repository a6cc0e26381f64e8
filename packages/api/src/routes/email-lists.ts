import { emailListSchema } from "@hookwright/domain";
import { pageSuccess } from "../response/api-response.ts";
import { pageQuery, projectFilter } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const emailListRoutes = [
  defineAccountRoute({
    method: "GET",
    path: "/v1/email-lists",
    operationId: "listEmailLists",
    summary: "The account's email lists. Their ids are the valid `list_id` values.",
    description: "Newest first, of all sites or of one site.",
    reads: "page",
    query: pageQuery.extend({ project_id: projectFilter }),
    answers: { 200: emailListSchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.emailLists.list(caller.accountId, filters, { limit, cursor })),
  }),
];
