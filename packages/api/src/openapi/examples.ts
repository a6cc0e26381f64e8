import {
  accountSchema,
  blogPostInputSchema,
  consoleWebhookInputSchema,
  createdConsoleWebhookSchema,
  createdWebhookSchema,
  declaredEventInputSchema,
  deliveryBodySchema,
  emailListSchema,
  eventCatalogue,
  eventTypeSchema,
  hostEventTypeSchema,
  orderSchema,
  resendSchema,
  sampleDeliveryBody,
  specificationEvents,
  subscriberSchema,
  testInputSchema,
  webhookActionSchema,
  webhookInputSchema,
  webhookSchema,
} from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { z } from "zod";
import { toJsonSchema } from "./schemas.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Some fields depend on each other, such as the sums of an order. These schemas have one example as a whole. */
const completeExamples = new Map<z.ZodType, unknown>([
  [orderSchema, eventCatalogue["order.paid"].sampleData],
  [
    hostEventTypeSchema,
    {
      event: "parcel.sent",
      name: "Parcel sent",
      description: "A parcel is sent.",
      sample: {
        id: "parcel.sent_par_1",
        event: "parcel.sent",
        project: sampleDeliveryBody("order.created").project,
        data: { id: "par_1" },
      },
      declared: true,
      record: "parcel.sent",
      schema: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
    },
  ],
]);

/** Several schemas share these fields. They use the example of one of them. */
const sharedExamples = new Map<z.ZodType, JsonSchema>([
  [accountSchema, { id: "acc_1", email: "owner@example.com", created_at: "2026-01-05T08:00:00Z" }],
  [emailListSchema, { id: "list_1" }],
  [subscriberSchema, { id: "sub_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }],
  [blogPostInputSchema, { tags: ["news"] }],
  [webhookSchema, { created_at: "2026-11-01T08:00:00Z" }],
  // `event` is left out: a webhook has either.
  [consoleWebhookInputSchema, { event: undefined }],
  [webhookInputSchema, { event: undefined }],
  // The sample is not one of an order.
  [declaredEventInputSchema, { record: undefined }],
  // Either an event, or a delivery.
  [testInputSchema, { delivery_id: undefined }],
  [resendSchema, { resent: 9, skipped: 1 }],
  [webhookActionSchema, { changed: 9, skipped: 1, recoveries: 9 }],
  // Nothing has been sent to this webhook yet.
  [createdConsoleWebhookSchema, { last_success_at: null, last_failure_at: null }],
  [createdWebhookSchema, { last_success_at: null, last_failure_at: null }],
]);

/**
 * Builds an example of a schema from the examples of all its fields, including the optional ones.
 *
 * @param place.name that of the operation, for errors
 * @param place.events the known events. The first one is the example, if there is any
 */
export function toExample(
  schema: z.ZodType,
  io: "input" | "output",
  { name, events }: { readonly name: string; readonly events: EventRegistry },
): unknown {
  const [type = specificationEvents.types[0]] = events.types;
  if (Object.is(schema, eventTypeSchema)) return type;
  if (Object.is(schema, deliveryBodySchema)) return type?.sample;
  if (completeExamples.has(schema)) return completeExamples.get(schema);
  return assemble(toJsonSchema(schema, io), `${name}: ${io}`, sharedExamples.get(schema));
}

/** @throws Error if a field has no example. A test builds the document, so this fails early. */
function assemble(schema: JsonSchema, name: string, given: JsonSchema = {}): unknown {
  const { example, properties, items, anyOf } = schema;
  if (example !== undefined) return example;
  if ("const" in schema) return schema["const"];
  // The other member of a field that may be null.
  if (Array.isArray(anyOf)) return assemble(anyOf[0], name);
  if (typeof items === "object" && items !== null) return [assemble({ ...items }, `${name}.0`)];
  if (typeof properties !== "object" || properties === null)
    throw new Error(`${name} has no example. Add one to its schema, or to openapi/examples.ts.`);
  return Object.fromEntries(
    Object.entries<JsonSchema>({ ...properties }).map(([field, each]) => [
      field,
      field in given ? given[field] : assemble(each, `${name}.${field}`),
    ]),
  );
}
