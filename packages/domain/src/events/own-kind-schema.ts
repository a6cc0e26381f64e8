import { z } from "zod";
import { toOneObject } from "./describe-fields.ts";
import type { JsonSchema } from "./describe-fields.ts";
import { isRecord } from "./plain-value.ts";
import type { OwnRecordData } from "./own-record.ts";
import type { StandardSchema } from "./standard-schema.ts";

/**
 * Returns the JSON Schema of what is delivered: what a schema returns, with the `id` as text (contract: Requests). If the schema cannot
 * describe itself, any object with an `id` is described.
 */
export function toSchemaOfOwnKind(
  schema: StandardSchema,
  { description, example }: { readonly description: string; readonly example: OwnRecordData },
): JsonSchema {
  const described = describe(schema);
  const text = { type: "string" };
  if (described === undefined)
    return {
      type: "object",
      description,
      required: ["id"],
      properties: { id: text },
      additionalProperties: true,
      example,
    };
  const { $schema: _, ...rest } = described;
  // A union or an intersection stays as it is.
  if (rest["type"] !== "object") return rest;
  const properties = toObject(rest["properties"]);
  const { id } = properties;
  return {
    ...rest,
    required: [...new Set(["id", ...toNames(rest["required"])])],
    properties: { ...properties, id: isRecord(id) && id["type"] === "string" ? id : text },
  };
}

/**
 * Returns the JSON Schema of a record with the further fields that a schema returns. If the schema cannot describe
 * itself, the fields of the sample are named.
 */
export function toSchemaWithOwnFields(
  schema: StandardSchema,
  { record, sample }: { readonly record: JsonSchema; readonly sample: Readonly<Record<string, unknown>> },
): JsonSchema {
  const whole = describe(schema);
  // A reference to the whole schema would mean the record, too.
  const described = JSON.stringify(whole)?.includes('"$ref":"#"') === true ? undefined : whole;
  const joined = described && toOneObject(described);
  const ofRecord = toObject(record["properties"]);
  const isOwn = (name: string): boolean => !Object.hasOwn(ofRecord, name);
  const own = Object.entries(
    joined === undefined ? toExamples(sample) : toObject(joined["properties"]),
  ).filter(([name]) => isOwn(name));
  const required = [...toNames(record["required"]), ...toNames(joined?.["required"]).filter(isOwn)];
  const { additionalProperties: _, ...rest } = record;
  return {
    ...rest,
    ...pick(described, ["$defs", "additionalProperties"]),
    required,
    properties: { ...ofRecord, ...Object.fromEntries(own) },
  };
}

function toExamples(sample: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(sample).map(([name, example]) => [name, { examples: [example] }]));
}

function pick(schema: JsonSchema | undefined, names: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema ?? {}).filter(([name]) => names.includes(name)));
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function toNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
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
