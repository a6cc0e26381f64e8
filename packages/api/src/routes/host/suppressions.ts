import { emailSchema, suppressionInputSchema, suppressionReasonSchema } from "@hookwright/domain";
import { z } from "zod";
import { success } from "../../response/api-response.ts";
import { writtenSuccess } from "../../response/written-success.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

const suppressionSchema = z.object({ email: emailSchema, reason: suppressionReasonSchema });

export const hostSuppressionRoutes = [
  defineHostRoute({
    method: "PUT",
    path: "/host/v1/suppressions/{email}",
    operationId: "putSuppression",
    summary: "Stop sending mail to an address",
    scope: "manage",
    reads: "few",
    query: noQuery,
    body: { schema: suppressionInputSchema },
    answers: { 200: suppressionSchema, 201: suppressionSchema },
    handle: async ({ service, parameter, body, mayRead, origin }) => {
      const { email, reason, created } = await service.suppressions.put(parameter("email"), body, origin);
      return writtenSuccess({
        data: { email, reason },
        named: "email",
        created,
        body,
        schema: suppressionInputSchema,
        mayRead,
      });
    },
  }),
  defineHostRoute({
    method: "DELETE",
    path: "/host/v1/suppressions/{email}",
    operationId: "deleteSuppression",
    summary: "Allow mail to an address again",
    scope: "manage",
    reads: "few",
    query: noQuery,
    answers: { 200: z.object({ email: emailSchema, deleted: z.literal(true) }) },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.suppressions.remove(parameter("email"), origin)),
  }),
];
