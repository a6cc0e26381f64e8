import { eventNameField } from "@hookwright/domain";
import { z } from "zod";
import type { DescribedApi } from "./described-api.ts";
import type { JsonSchema } from "./json-schema.ts";
import { sentEmptySchema, withSentEmpty } from "./sent-empty.ts";

/** Returns a reference if the schema has a name, otherwise the schema itself. */
export function toSchemaOrReference(
  schema: z.ZodType,
  io: "input" | "output",
  { schemas }: Pick<DescribedApi, "schemas">,
): JsonSchema {
  const [name] = Object.entries(schemas).find(([, named]) => named === schema) ?? [];
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
      if (!Object.is(zodSchema, eventNameField) || eventNames === undefined) return;
      // An empty list is not a JSON Schema.
      if (eventNames.length > 0) Object.assign(jsonSchema, { enum: [...eventNames], example: eventNames[0] });
      else delete jsonSchema.enum;
    },
  });
  return rest;
}

/** @param eventNames the names of the known events */
export function namedSchemas(
  { schemas }: Pick<DescribedApi, "schemas">,
  eventNames: readonly string[],
): Record<string, JsonSchema> {
  const named = Object.entries(schemas).map(([name, schema]) => [
    name,
    name.endsWith("Input")
      ? withSentEmpty(toJsonSchema(schema, "input"))
      : toJsonSchema(schema, "output", eventNames),
  ]);
  return { ...Object.fromEntries(named), SentEmpty: sentEmptySchema };
}

/**
 * What a host token without the scope `read` gets of an object that existed: the fields that it has sent.
 *
 * @param named the field of the object that is in the path
 */
export function onlySentOf(schema: z.ZodType, named: string | null): JsonSchema {
  return {
    ...withoutRequired(toJsonSchema(schema, "output")),
    ...(named === null ? {} : { required: [named] }),
    description: "Without the scope `read`: only the fields that were sent.",
  };
}

function withoutRequired(schema: JsonSchema): JsonSchema {
  const { required: _, properties, ...rest } = schema;
  if (typeof properties !== "object" || properties === null) return schema;
  const fields = Object.entries<JsonSchema>({ ...properties }).map(([name, field]) => [
    name,
    withoutRequired(field),
  ]);
  return { ...rest, properties: Object.fromEntries(fields) };
}
