import {
  deletedSchema,
  emailSchema,
  eventCatalogue,
  hostSubscriberInputSchema,
  publishInputSchema,
  publishedSchema,
  refusedEventSchema,
  subscriberSchema,
  suppressionInputSchema,
  suppressionReasonSchema,
} from "@hookwright/domain";
import { z } from "zod";
import { success } from "../../response/api-response.ts";
import { writtenSuccess } from "../../response/written-success.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

const eventsSchema = z.union([publishInputSchema, z.array(publishInputSchema).max(1_000)]).meta({
  description: "An event, or up to 1,000 of them.",
  example: { event: "order.paid", project_id: "site_1", data: eventCatalogue["order.paid"].sampleData },
});
const publishedEventsSchema = z
  .union([publishedSchema, z.array(z.union([publishedSchema, refusedEventSchema]))])
  .meta({
    description: "The event that was published. For an array: what became of each event, in the same order.",
    example: {
      id: "order.paid_ord_1001",
      deliveries: ["dlv_019a9c3f5b2e7c41a0f39d1e6b7c8d21"],
      duplicate: false,
      adjusted: ["customer.email"],
      dropped: [],
    },
  });
const unsuppressedSchema = z.object({
  email: emailSchema,
  deleted: z.literal(true).meta({ description: "Always true." }),
});

const suppressionSchema = z.object({ email: emailSchema, reason: suppressionReasonSchema });

/** What the host publishes and stores. */
export const hostRecordRoutes = [
  defineHostRoute("POST", "/host/v1/events", {
    operationId: "publishEvents",
    summary: "Publish events",
    description:
      "A single event that is refused gets an error response. In an array, an event that is refused does not stop the others, and the status is 200.",
    scope: "publish",
    reads: "few",
    body: { schema: eventsSchema, arrays: true },
    answers: { 200: publishedEventsSchema },
    refusals: ["unknown_event"],
    handle: async ({ service, body }) => {
      if (Array.isArray(body)) return success(await service.publishMany(body));
      return success(await service.publish(body));
    },
  }),
  defineHostRoute("DELETE", "/host/v1/accounts/{id}/records/{kind}/{record}", {
    operationId: "deleteRecord",
    summary: "Remove a business record",
    description: "Its waiting deliveries are cancelled when they are due.",
    scope: "publish",
    reads: "few",
    answers: { 200: deletedSchema },
    handle: async ({ service, parameter, origin }) =>
      success(await service.records.remove(parameter("id"), parameter("kind"), parameter("record"), origin)),
  }),
  defineHostRoute("PUT", "/host/v1/projects/{id}/subscribers/{email}", {
    operationId: "putSubscriber",
    summary: "Create or update a subscriber",
    description: "No event is published. Tags are added.",
    scope: "publish",
    reads: "few",
    body: { schema: hostSubscriberInputSchema },
    written: "email",
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
    written: "email",
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
    answers: { 200: unsuppressedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.suppressions.remove(parameter("email"), origin)),
  }),
];
