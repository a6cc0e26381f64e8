import { apiKeyInputSchema, linkCodeSchema, signInSchema } from "@hookwright/domain";
import type { ApiKey } from "@hookwright/domain";
import { z } from "zod";
import { pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { exportedAtOnce, exportFormat } from "../../response/export-response.ts";
import type { Export } from "../../response/export-response.ts";
import { defineConsoleRoute, definePublicRoute } from "../../routing/define-route.ts";
import { exportList } from "./export-list.ts";

const keyColumns: Export<ApiKey>["columns"] = [
  "id",
  "name",
  "prefix",
  "integration",
  ["rights", ({ rights }) => rights.join(" ")],
  "project_id",
  "expires_at",
  "webhooks_count",
  "created_at",
  "last_used_at",
  "revoked_at",
];

/** Sign-ins and API keys. */
export const consoleSessionRoutes = [
  definePublicRoute("POST", "/console/api/session", {
    body: { schema: signInSchema },
    handle: async ({ service, body, client }) => success(await service.sessions.create(body, client())),
  }),
  /** A code works once. */
  definePublicRoute("POST", "/console/api/session/link", {
    body: { schema: linkCodeSchema },
    handle: async ({ service, body, client }) => success(await service.sessions.exchangeLink(body, client())),
  }),
  defineConsoleRoute("DELETE", "/console/api/session", {
    always: true,
    right: "any",
    reads: "few",
    handle: async ({ service, token }) => success(await service.sessions.remove(token)),
  }),
  /** Ends this session too, and unused links. */
  defineConsoleRoute("DELETE", "/console/api/sessions", {
    right: "people",
    reads: "few",
    handle: async ({ service, caller, origin }) =>
      success(await service.sessions.removeAll(caller.accountId, origin)),
  }),
  /** Also revoked ones. */
  defineConsoleRoute("GET", "/console/api/keys", {
    right: "read",
    reads: "page",
    query: pageQuery,
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.apiKeys.list(caller.accountId, query)),
  }),
  /** All keys as a file, newest first, without the keys themselves. */
  defineConsoleRoute("GET", "/console/api/keys/export", {
    right: "read",
    reads: "scan",
    query: z.object({ format: exportFormat }),
    handle: async (request) =>
      exportList(request, {
        name: "keys",
        format: request.query.format,
        columns: keyColumns,
        readPage: (cursor) =>
          request.service.apiKeys.list(request.caller.accountId, { limit: exportedAtOnce, cursor }),
      }),
  }),
  /** Only this response contains the key. */
  defineConsoleRoute("POST", "/console/api/keys", {
    right: "keys",
    reads: "few",
    body: { schema: apiKeyInputSchema },
    handle: async ({ service, caller, body, origin }) =>
      success(await service.apiKeys.create(caller.accountId, body, origin), { created: true }),
  }),
  /** Also removes its webhooks. */
  defineConsoleRoute("POST", "/console/api/keys/{id}/revoke", {
    right: "keys",
    reads: "scan",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.apiKeys.revoke(parameter("id"), caller.accountId, origin)),
  }),
];
