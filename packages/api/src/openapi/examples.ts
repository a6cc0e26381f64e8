import {
  accountSchema,
  blogPostInputSchema,
  createdWebhookSchema,
  deliveryBodySchema,
  emailListSchema,
  eventCatalogue,
  eventTypes,
  eventTypeSchema,
  orderSchema,
  sampleDeliveryBody,
  subscriberSchema,
  webhookSchema,
} from "@hookwright/domain";
import type { z } from "zod";
import { toJsonSchema } from "./schemas.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Where fields have to fit each other, as an order's sums do, the whole is an example of its own. */
const wholes = new Map<z.ZodType, unknown>([
  [orderSchema, eventCatalogue["order.paid"].sampleData],
  [eventTypeSchema, eventTypes[0]],
  [deliveryBodySchema, sampleDeliveryBody("order.created")],
]);

/** Fields that several schemas share carry the example of one of them. */
const parts = new Map<z.ZodType, JsonSchema>([
  [accountSchema, { id: "acc_1", email: "owner@example.com", created_at: "2026-01-05T08:00:00Z" }],
  [emailListSchema, { id: "list_1" }],
  [subscriberSchema, { id: "sub_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }],
  [blogPostInputSchema, { tags: ["news"] }],
  [webhookSchema, { created_at: "2026-11-01T08:00:00Z" }],
  // Nothing was sent to it yet.
  [createdWebhookSchema, { last_success_at: null, last_failure_at: null }],
]);

/** An example of what a schema describes, made of the examples of its fields: all of them, optional ones too. */
export function toExample(schema: z.ZodType, io: "input" | "output"): unknown {
  if (wholes.has(schema)) return wholes.get(schema);
  return assemble(toJsonSchema(schema, io), "body", parts.get(schema));
}

/** @throws Error for a field that has no example: the document is made once, and a test makes it */
function assemble(schema: JsonSchema, name: string, given: JsonSchema = {}): unknown {
  const { example, properties } = schema;
  if (example !== undefined) return example;
  if ("const" in schema) return schema["const"];
  if (typeof properties !== "object" || properties === null)
    throw new Error(`${name} has no example in the OpenAPI document: give its schema one`);
  return Object.fromEntries(
    Object.entries<JsonSchema>({ ...properties }).map(([field, each]) => [
      field,
      field in given ? given[field] : assemble(each, `${name}.${field}`),
    ]),
  );
}
