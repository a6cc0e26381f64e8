import { emailListInputSchema, emailListSchema } from "@hookwright/domain";
import { success } from "../../answer/answer.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostEmailListRoutes = [
  defineHostRoute({
    method: "PUT",
    path: "/host/v1/email-lists/{id}",
    operationId: "putEmailList",
    summary: "Create an email list, or change what is sent",
    query: noQuery,
    body: { schema: emailListInputSchema },
    answers: { 200: emailListSchema, 201: emailListSchema },
    handle: async ({ service, parameter, body }) => {
      const { emailList, created } = await service.emailLists.put(parameter("id"), body);
      return success(emailList, { created });
    },
  }),
];
