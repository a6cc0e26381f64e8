import { emailListInputSchema, emailListSchema } from "@hookwright/domain";
import { writtenSuccess } from "../../response/written-success.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostEmailListRoutes = [
  defineHostRoute({
    method: "PUT",
    path: "/host/v1/email-lists/{id}",
    operationId: "putEmailList",
    summary: "Create or update an email list",
    scope: "manage",
    reads: "few",
    query: noQuery,
    body: { schema: emailListInputSchema },
    answers: { 200: emailListSchema, 201: emailListSchema },
    handle: async ({ service, parameter, body, mayRead, origin }) => {
      const { emailList, created } = await service.emailLists.put(parameter("id"), body, origin);
      return writtenSuccess({ data: emailList, created, body, schema: emailListInputSchema, mayRead });
    },
  }),
];
