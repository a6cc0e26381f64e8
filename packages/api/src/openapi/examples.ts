import {
  accountSchema,
  blogPostInputSchema,
  createdWebhookSchema,
  deliveryBodySchema,
  emailListSchema,
  eventCatalogue,
  eventTypeSchema,
  orderSchema,
  sampleDeliveryBody,
  specificationEvents,
  subscriberSchema,
  webhookInputSchema,
  webhookSchema,
} from "@hookwright/domain";
import type { z } from "zod";
import { toJsonSchema } from "./schemas.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Some fields depend on each other, such as the sums of an order. These schemas have one example as a whole. */
const completeExamples = new Map<z.ZodType, unknown>([
  [orderSchema, eventCatalogue["order.paid"].sampleData],
  [eventTypeSchema, specificationEvents.types[0]],
  [deliveryBodySchema, sampleDeliveryBody("order.created")],
]);

/** Several schemas share these fields. They use the example of one of them. */
const sharedExamples = new Map<z.ZodType, JsonSchema>([
  [accountSchema, { id: "acc_1", email: "owner@example.com", created_at: "2026-01-05T08:00:00Z" }],
  [emailListSchema, { id: "list_1" }],
  [subscriberSchema, { id: "sub_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }],
  [blogPostInputSchema, { tags: ["news"] }],
  [webhookSchema, { created_at: "2026-11-01T08:00:00Z" }],
  // `event` is left out: a webhook has either.
  [webhookInputSchema, { event: undefined }],
  // Nothing has been sent to this webhook yet.
  [createdWebhookSchema, { last_success_at: null, last_failure_at: null }],
]);

/** Builds an example of a schema from the examples of all its fields, including the optional ones. */
export function toExample(schema: z.ZodType, io: "input" | "output"): unknown {
  if (completeExamples.has(schema)) return completeExamples.get(schema);
  return assemble(toJsonSchema(schema, io), "body", sharedExamples.get(schema));
}

/** @throws Error if a field has no example. A test builds the document, so this fails early. */
function assemble(schema: JsonSchema, name: string, given: JsonSchema = {}): unknown {
  const { example, properties } = schema;
  if (example !== undefined) return example;
  if ("const" in schema) return schema["const"];
  if (typeof properties !== "object" || properties === null)
    throw new Error(`${name} has no example in the OpenAPI document. Add an example to its schema.`);
  return Object.fromEntries(
    Object.entries<JsonSchema>({ ...properties }).map(([field, each]) => [
      field,
      field in given ? given[field] : assemble(each, `${name}.${field}`),
    ]),
  );
}
