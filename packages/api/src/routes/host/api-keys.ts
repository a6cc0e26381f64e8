import { apiKeyInputSchema, createdApiKeySchema } from "@hookwright/domain";
import { z } from "zod";
import { success } from "../../response/api-response.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostApiKeyRoutes = [
  defineHostRoute({
    method: "POST",
    path: "/host/v1/accounts/{id}/api-keys",
    operationId: "createApiKey",
    summary: "Create an API key and return it once. An account has at most 100 active keys.",
    scope: "manage",
    reads: "few",
    query: noQuery,
    body: { schema: apiKeyInputSchema },
    answers: { 201: createdApiKeySchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, parameter, body, origin }) =>
      success(await service.apiKeys.create(parameter("id"), body, origin), { created: true }),
  }),
  defineHostRoute({
    method: "POST",
    path: "/host/v1/api-keys/{id}/revoke",
    operationId: "revokeApiKey",
    summary: "Revoke an API key immediately",
    scope: "manage",
    reads: "scan",
    query: noQuery,
    answers: { 200: z.object({ id: z.string(), revoked: z.literal(true) }) },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.apiKeys.revoke(parameter("id"), undefined, origin)),
  }),
];
