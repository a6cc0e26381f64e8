import { z } from "zod";
import { isRecord } from "./plain-value.ts";
import type { OwnRecordData } from "./own-record.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** A JSON Schema of the dialect 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema of what a schema returns. If the schema cannot describe itself, any object with an `id`
 * is described.
 */
export function toSchemaOfOwnKind(
  schema: StandardSchema,
  { description, example }: { readonly description: string; readonly example: OwnRecordData },
): JsonSchema {
  const described = describe(schema);
  if (described === undefined)
    return { type: "object", description, required: ["id"], properties: { id: { type: "string" } }, example };
  const { $schema: _, ...rest } = described;
  return rest;
}

/** A schema that contains a transformation, for example, may have no JSON Schema. Then an open object is described. */
function describe(schema: StandardSchema): JsonSchema | undefined {
  try {
    const described = isZodSchema(schema)
      ? z.toJSONSchema(schema, { io: "output", unrepresentable: "any" })
      : readDescriber(schema)?.({ target: "draft-2020-12" });
    return isRecord(described) ? described : undefined;
  } catch {
    return undefined;
  }
}

type ToJsonSchema = (options: { readonly target: "draft-2020-12" }) => unknown;

/** The interface Standard JSON Schema: `schema["~standard"].jsonSchema.output(options)`. */
function readDescriber(schema: StandardSchema): ToJsonSchema | undefined {
  const standard: object = schema["~standard"];
  const describer = "jsonSchema" in standard ? standard.jsonSchema : undefined;
  if (typeof describer !== "object" || describer === null || !("output" in describer)) return undefined;
  const { output } = describer;
  if (typeof output !== "function") return undefined;
  return (options) => Reflect.apply(output, describer, [options]);
}

/** `z.toJSONSchema` reads only `_zod`, so the schema may be of another copy of zod 4. */
function isZodSchema(schema: object): schema is z.ZodType {
  return "_zod" in schema;
}
