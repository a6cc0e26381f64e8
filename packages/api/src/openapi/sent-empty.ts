import type { JsonSchema } from "./json-schema.ts";

/** The values that count as left out in a body, whatever the type of the field (contract: Requests). */
export const sentEmptySchema: JsonSchema = {
  description:
    "An empty value: the field counts as left out, whatever its type. Empty values are `null`, an empty list, and text that is empty or only white space.",
  anyOf: [
    { type: "null" },
    { type: "string", pattern: String.raw`^\s*$` },
    { type: "array", items: {}, maxItems: 0 },
  ],
};

const sentEmpty = { $ref: "#/components/schemas/SentEmpty" };

/** Adds this rule to the schema of a body: optional fields accept empty values, required fields do not. */
export function withSentEmpty(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema;
  if (typeof properties !== "object" || properties === null) return schema;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries<JsonSchema>({ ...properties }).map(([name, field]) => [
    name,
    names.includes(name) ? notBlank(field) : orSentEmpty(field),
  ]);
  return { ...schema, properties: Object.fromEntries(fields) };
}

function orSentEmpty({ description, example, ...field }: JsonSchema): JsonSchema {
  return { description, example, anyOf: [field, sentEmpty] };
}

function notBlank(field: JsonSchema): JsonSchema {
  return field["type"] === "string" && !("format" in field) ? { ...field, pattern: String.raw`\S` } : field;
}
