import {
  deletedSchema,
  emailSchema,
  hostSubscriberInputSchema,
  publishInputSchema,
  subscriberSchema,
  suppressionInputSchema,
  suppressionReasonSchema,
} from "@hookwright/domain";
import { z } from "zod";
import { success } from "../../response/api-response.ts";
import { writtenSuccess } from "../../response/written-success.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

const publishedSchema = z.object({
  id: z.string(),
  deliveries: z.array(z.string()),
  duplicate: z.boolean(),
  adjusted: z.array(z.string()),
  dropped: z.array(z.string()),
});
const refusedSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const suppressionSchema = z.object({ email: emailSchema, reason: suppressionReasonSchema });

/** What the host publishes and stores. */
export const hostRecordRoutes = [
  defineHostRoute("POST", "/host/v1/events", {
    operationId: "publishEvents",
    summary: "Publish one event, or up to 1,000",
    scope: "publish",
    reads: "few",
    body: { schema: z.union([publishInputSchema, z.array(publishInputSchema).max(1_000)]), arrays: true },
    answers: { 200: z.union([publishedSchema, z.array(z.union([publishedSchema, refusedSchema]))]) },
    refusals: ["unknown_event"],
    handle: async ({ service, body }) => {
      if (Array.isArray(body)) return success(await service.publishMany(body));
      return success(await service.publish(body));
    },
  }),
  defineHostRoute("DELETE", "/host/v1/accounts/{id}/records/{kind}/{record}", {
    operationId: "deleteRecord",
    summary: "Remove a business record",
    scope: "publish",
    reads: "few",
    answers: { 200: deletedSchema },
    handle: async ({ service, parameter, origin }) =>
      success(await service.records.remove(parameter("id"), parameter("kind"), parameter("record"), origin)),
  }),
  defineHostRoute("PUT", "/host/v1/projects/{id}/subscribers/{email}", {
    operationId: "putSubscriber",
    summary: "Store a subscriber without emitting an event",
    scope: "publish",
    reads: "few",
    body: { schema: hostSubscriberInputSchema },
    answers: { 200: subscriberSchema, 201: subscriberSchema },
    handle: async ({ service, parameter, body, mayRead }) => {
      const { subscriber, created } = await service.subscribers.put(
        parameter("id"),
        parameter("email"),
        body,
      );
      return writtenSuccess({
        data: subscriber,
        named: "email",
        created,
        body,
        schema: hostSubscriberInputSchema,
        mayRead,
      });
    },
  }),
  defineHostRoute("PUT", "/host/v1/suppressions/{email}", {
    operationId: "putSuppression",
    summary: "Stop sending mail to an address",
    scope: "manage",
    reads: "few",
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
  defineHostRoute("DELETE", "/host/v1/suppressions/{email}", {
    operationId: "deleteSuppression",
    summary: "Allow mail to an address again",
    scope: "manage",
    reads: "few",
    answers: { 200: z.object({ email: emailSchema, deleted: z.literal(true) }) },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.suppressions.remove(parameter("email"), origin)),
  }),
];
