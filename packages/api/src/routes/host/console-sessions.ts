import { consoleLinkInputSchema, consoleLinkSchema, signedOutSchema } from "@hookwright/domain";
import { success } from "../../response/api-response.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostConsoleSessionRoutes = [
  defineHostRoute({
    method: "POST",
    scope: "manage",
    path: "/host/v1/accounts/{id}/console-sessions",
    operationId: "createConsoleSession",
    summary: "Create a link that opens the console of an account once",
    reads: "few",
    query: noQuery,
    body: { schema: consoleLinkInputSchema, optional: true },
    answers: { 201: consoleLinkSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter, body, origin, basePath, publicUrl }) =>
      success(
        await service.sessions.createLink(parameter("id"), body, {
          basePath: publicUrl ?? basePath(),
          origin,
        }),
        { created: true },
      ),
  }),
  defineHostRoute({
    method: "DELETE",
    scope: "manage",
    path: "/host/v1/accounts/{id}/console-sessions",
    operationId: "endConsoleSessions",
    summary: "End all console sessions of an account, and its unused links",
    reads: "few",
    query: noQuery,
    answers: { 200: signedOutSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.sessions.removeAll(parameter("id"), origin)),
  }),
];
