import { publishInputSchema } from "@hookwright/domain";
import { z } from "zod";
import { success } from "../../response/api-response.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

const publishedSchema = z.object({
  id: z.string(),
  deliveries: z.array(z.string()),
  duplicate: z.boolean(),
  adjusted: z.array(z.string()),
  dropped: z.array(z.string()),
});
const refusedSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export const hostEventRoutes = [
  defineHostRoute({
    method: "POST",
    path: "/host/v1/events",
    operationId: "publishEvents",
    summary: "Publish one event, or up to 1,000",
    scope: "publish",
    reads: "few",
    query: noQuery,
    body: { schema: z.union([publishInputSchema, z.array(publishInputSchema).max(1_000)]), arrays: true },
    answers: { 200: z.union([publishedSchema, z.array(z.union([publishedSchema, refusedSchema]))]) },
    refusals: ["unknown_event"],
    handle: async ({ service, body }) => {
      if (Array.isArray(body)) return success(await service.publishMany(body));
      return success(await service.publish(body));
    },
  }),
];
