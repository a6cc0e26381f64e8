import {
  linkCodeSchema,
  linkedSessionSchema,
  sessionSchema,
  signedOutSchema,
  signInSchema,
} from "@hookwright/domain";
import { z } from "zod";
import { success } from "../../response/api-response.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineConsoleRoute, definePublicRoute } from "../../routing/define-route.ts";

export const consoleSessionRoutes = [
  definePublicRoute({
    method: "POST",
    path: "/console/api/session",
    operationId: "signIn",
    summary: "Sign in to the console",
    query: noQuery,
    body: { schema: signInSchema },
    answers: { 200: sessionSchema },
    refusals: ["invalid_credentials", "rate_limited"],
    handle: async ({ service, body, client }) => success(await service.sessions.create(body, client())),
  }),
  definePublicRoute({
    method: "POST",
    path: "/console/api/session/link",
    operationId: "exchangeLink",
    summary: "Exchange the code of a link for a session. A code works once.",
    query: noQuery,
    body: { schema: linkCodeSchema },
    answers: { 200: linkedSessionSchema },
    refusals: ["invalid_credentials", "rate_limited"],
    handle: async ({ service, body, client }) => success(await service.sessions.exchangeLink(body, client())),
  }),
  defineConsoleRoute({
    method: "DELETE",
    path: "/console/api/session",
    operationId: "signOut",
    summary: "Sign out and invalidate the console token",
    always: true,
    reads: "few",
    query: noQuery,
    answers: { 200: z.object({ signed_out: z.literal(true) }) },
    handle: async ({ service, token }) => success(await service.sessions.remove(token)),
  }),
  defineConsoleRoute({
    method: "DELETE",
    path: "/console/api/sessions",
    operationId: "endAllSessions",
    summary: "End all sessions of the account, this one too, and its unused links",
    changes: true,
    reads: "few",
    query: noQuery,
    answers: { 200: signedOutSchema },
    handle: async ({ service, caller, origin }) =>
      success(await service.sessions.removeAll(caller.accountId, origin)),
  }),
];
