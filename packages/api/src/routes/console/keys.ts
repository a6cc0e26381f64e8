import { apiKeyInputSchema, apiKeySchema, createdApiKeySchema } from "@hookwright/domain";
import { pageSuccess, success } from "../../answer/answer.ts";
import { noQuery, pageQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";
import { z } from "zod";

export const consoleKeyRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/keys",
    operationId: "listConsoleKeys",
    summary: "The account's keys, revoked ones included",
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
    summary: "Create an API key, shown once; an account has at most 100 that are not revoked",
    changes: true,
    query: noQuery,
    body: { schema: apiKeyInputSchema },
    answers: { 201: createdApiKeySchema },
    refusals: ["invalid_state"],
    handle: async ({ service, caller, body }) =>
      success(await service.apiKeys.create(caller.accountId, body), { created: true }),
  }),
  defineConsoleRoute({
    method: "POST",
    path: "/console/api/keys/{id}/revoke",
    operationId: "revokeConsoleKey",
    summary: "Stop an API key at once; its webhooks are removed",
    changes: true,
    query: noQuery,
    answers: { 200: z.object({ id: z.string(), revoked: z.literal(true) }) },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.apiKeys.revoke(parameter("id"), caller.accountId)),
  }),
];
