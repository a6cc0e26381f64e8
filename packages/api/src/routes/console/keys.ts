import { apiKeyInputSchema, apiKeySchema, createdApiKeySchema } from "@hookwright/domain";
import { pageSuccess, success } from "../../response/api-response.ts";
import { noQuery, pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";
import { z } from "zod";

export const consoleKeyRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/keys",
    operationId: "listConsoleKeys",
    summary: "The account's keys, including revoked ones",
    reads: "page",
    query: pageQuery,
    answers: { 200: apiKeySchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.apiKeys.list(caller.accountId, query)),
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/keys",
    operationId: "createConsoleKey",
    summary: "Create an API key and return it once. An account has at most 100 active keys.",
    changes: true,
    reads: "few",
    query: noQuery,
    body: { schema: apiKeyInputSchema },
    answers: { 201: createdApiKeySchema },
    refusals: ["invalid_state"],
    handle: async ({ service, caller, body, origin }) =>
      success(await service.apiKeys.create(caller.accountId, body, origin), { created: true }),
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/keys/{id}/revoke",
    operationId: "revokeConsoleKey",
    summary: "Revoke an API key immediately and remove its webhooks",
    changes: true,
    reads: "scan",
    query: noQuery,
    answers: { 200: z.object({ id: z.string(), revoked: z.literal(true) }) },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.apiKeys.revoke(parameter("id"), caller.accountId, origin)),
  }),
];
