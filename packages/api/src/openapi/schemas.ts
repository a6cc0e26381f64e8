import {
  accountSchema,
  blogPostInputSchema,
  blogPostSchema,
  contactInputSchema,
  contactSchema,
  createdWebhookSchema,
  deletedSchema,
  deliveryBodySchema,
  emailListSchema,
  eventNameField,
  eventTypeSchema,
  orderSchema,
  projectSchema,
  subscriberInputSchema,
  subscriberSchema,
  webhookInputSchema,
  webhookSchema,
} from "@hookwright/domain";
import { z } from "zod";
import type { JsonSchema } from "./json-schema.ts";
import { sentEmptySchema, withSentEmpty } from "./sent-empty.ts";

/**
 * The schemas that have a name in the document. The same objects parse requests, so document and parser always agree.
 */
const named: Readonly<Record<string, z.ZodType>> = {
  Account: accountSchema,
  Site: projectSchema,
  EventType: eventTypeSchema,
  DeliveryBody: deliveryBodySchema,
  Webhook: webhookSchema,
  CreatedWebhook: createdWebhookSchema,
  WebhookInput: webhookInputSchema,
  Contact: contactSchema,
  ContactInput: contactInputSchema,
  Subscriber: subscriberSchema,
  SubscriberInput: subscriberInputSchema,
  EmailList: emailListSchema,
  BlogPost: blogPostSchema,
  BlogPostInput: blogPostInputSchema,
  Order: orderSchema,
  Deleted: deletedSchema,
};

const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));

/** Returns a reference if the schema has a name, otherwise the schema itself. */
export function toSchemaOrReference(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const name = names.get(schema);
  return name === undefined ? toJsonSchema(schema, io) : { $ref: `#/components/schemas/${name}` };
}

/** Converts to the JSON Schema dialect of OpenAPI 3.1 (2020-12). */
export function toJsonSchema(
  schema: z.ZodType,
  io: "input" | "output",
  eventNames?: readonly string[],
): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      if (Object.is(zodSchema, eventNameField) && eventNames !== undefined) jsonSchema.enum = [...eventNames];
    },
  });
  return rest;
}

/** @param eventNames the names of the known events */
export function namedSchemas(eventNames: readonly string[]): Record<string, JsonSchema> {
  const schemas = Object.entries(named).map(([name, schema]) => [
    name,
    name.endsWith("Input")
      ? withSentEmpty(toJsonSchema(schema, "input"))
      : toJsonSchema(schema, "output", eventNames),
  ]);
  return { ...Object.fromEntries(schemas), SentEmpty: sentEmptySchema };
}
