import { requestLogEntrySchema } from "@hookwright/domain";
import { pageSuccess } from "../../response/api-response.ts";
import { pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

export const consoleRequestRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/requests",
    operationId: "listConsoleRequests",
    summary: "Recent requests to the API",
    query: pageQuery,
    answers: { 200: requestLogEntrySchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ requestLog, caller, query }) =>
      pageSuccess(await requestLog.list(caller.accountId, query)),
  }),
];
