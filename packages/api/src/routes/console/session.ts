import { sessionSchema, signInSchema } from "@hookwright/domain";
import { z } from "zod";
import { success } from "../../answer/answer.ts";
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
  defineConsoleRoute({
    method: "DELETE",
    path: "/console/api/session",
    operationId: "signOut",
    summary: "Sign out: the console token is of no use any more",
    always: true,
    query: noQuery,
    answers: { 200: z.object({ signed_out: z.literal(true) }) },
    handle: async ({ service, token }) => success(await service.sessions.remove(token)),
  }),
];
