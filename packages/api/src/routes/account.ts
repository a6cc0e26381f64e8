import { accountSchema } from "@hookwright/domain";
import { success } from "../response/api-response.ts";
import { noQuery } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const accountRoutes = [
  defineAccountRoute({
    method: "GET",
    path: "/v1/me",
    operationId: "getAccount",
    summary: "The account that owns the key",
    description: "The account with its time zone and its plan.",
    reads: "few",
    query: noQuery,
    answers: { 200: accountSchema },
    handle: async ({ caller }) => {
      // `status` is left out: only the host needs it, and an account that can read this is always "active".
      const { id, name, email, timezone, plan, demo, created_at } = caller.account;
      return success({ id, name, email, timezone, plan, demo, created_at });
    },
  }),
];
