import { accountSchema } from "@hookwright/domain";
import { success } from "../answer/answer.ts";
import { noQuery } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const accountRoutes = [
  defineAccountRoute({
    method: "GET",
    path: "/v1/me",
    operationId: "getAccount",
    summary: "The account the key belongs to",
    description: "The account, with its time zone and what its plan includes.",
    query: noQuery,
    answers: { 200: accountSchema },
    handle: async ({ caller }) => {
      // `status` is the host's to know; here it would always be "active".
      const { id, name, email, timezone, plan, demo, created_at } = caller.account;
      return success({ id, name, email, timezone, plan, demo, created_at });
    },
  }),
];
