import { accountInputSchema, hostAccountSchema } from "@hookwright/domain";
import { success } from "../../response/api-response.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostAccountRoutes = [
  defineHostRoute({
    method: "PUT",
    path: "/host/v1/accounts/{id}",
    operationId: "putAccount",
    summary: "Create or update an account",
    scope: "manage",
    query: noQuery,
    body: { schema: accountInputSchema },
    answers: { 200: hostAccountSchema, 201: hostAccountSchema },
    handle: async ({ service, parameter, body }) => {
      const { account, created } = await service.accounts.put(parameter("id"), body);
      return success(account, { created });
    },
  }),
];
