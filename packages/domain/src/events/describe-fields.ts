import { isRecord } from "./plain-value.ts";

/** A JSON Schema of the dialect 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A field of the data of an event, for people. */
export interface EventField {
  /** Such as `items[].price`. */
  readonly path: string;
  /** In words, such as `text or null`. */
  readonly type: string;
  /** Whether every delivery has it. */
  readonly required: boolean;
  readonly description: string | null;
  /** The only values that it may have. Empty if there are others. */
  readonly values: readonly unknown[];
  /** A value as in a delivery. Null if none is known. */
  readonly example: unknown;
}

/** More levels help nobody. The limit also ends a schema that contains itself. */
const maximumDepth = 8;
const maximumFields = 500;

/**
 * The fields that a JSON Schema describes, optional ones too. Fields that only the sample has follow.
 *
 * @param sample data that fits the schema
 */
export function describeFields(schema: JsonSchema, sample: unknown): readonly EventField[] {
  const fields: EventField[] = [];
  const definitions = toRecord(schema["$defs"]);

  function visit(given: JsonSchema, value: unknown, path: string, required: boolean, depth: number): void {
    if (fields.length >= maximumFields) return;
    const alternatives = alternativesOf(given, definitions);
    const described = joinObjects(alternatives.filter(({ type }) => type !== "null"));
    const properties = toRecord(described["properties"]);
    const isNested = depth < maximumDepth;
    const entries = Object.entries(isRecord(value) ? value : {});
    const names = [...new Set([...Object.keys(properties), ...entries.map(([name]) => name)])];
    if (isNested && names.length > 0 && (isRecord(value) || Object.keys(properties).length > 0)) {
      const always = namesIn(described);
      for (const name of names)
        visit(
          toRecord(properties[name]),
          isRecord(value) ? value[name] : undefined,
          path === "" ? name : `${path}.${name}`,
          required && always.includes(name),
          depth + 1,
        );
      return;
    }
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    const items = resolve(toRecord(described["items"]), definitions);
    if (isNested && (isRecord(items["properties"]) || isRecord(first)))
      return visit(items, first, `${path}[]`, required, depth + 1);
    fields.push({
      path,
      type: typeOf(alternatives, value, definitions),
      required,
      description: textIn(given, "description") ?? textIn(described, "description") ?? null,
      values: [...new Set(alternatives.flatMap(valuesOf))],
      example: value ?? exampleIn(given) ?? exampleIn(described) ?? null,
    });
  }

  visit(schema, sample, "", true, 0);
  return fields;
}

/** One schema with the fields of all parts of a union or an intersection. */
export function toOneObject(schema: JsonSchema): JsonSchema {
  return joinObjects(alternativesOf(schema, toRecord(schema["$defs"])));
}

function resolve(schema: JsonSchema, definitions: JsonSchema): JsonSchema {
  const name = textIn(schema, "$ref")?.replace("#/$defs/", "");
  return name === undefined ? schema : toRecord(definitions[name]);
}

/** `["string", "null"]` and `anyOf` become several schemas, `allOf` becomes one. */
function alternativesOf(given: JsonSchema, definitions: JsonSchema, depth = 0): readonly JsonSchema[] {
  const schema = resolve(given, definitions);
  const { type, allOf } = schema;
  const inner = (each: unknown): readonly JsonSchema[] =>
    depth < maximumDepth ? alternativesOf(toRecord(each), definitions, depth + 1) : [];
  if (Array.isArray(allOf)) return [mergeAll(allOf.map((each) => joinObjects(inner(each))))];
  const any = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(any)) return any.flatMap(inner);
  return Array.isArray(type) ? type.map((each) => ({ ...schema, type: each })) : [schema];
}

/** One schema for the objects of which a value is one. A field that not all of them require is optional. */
function joinObjects(alternatives: readonly JsonSchema[]): JsonSchema {
  const objects = alternatives.filter(({ properties }) => isRecord(properties));
  const [first = alternatives[0] ?? {}, ...others] = objects;
  if (others.length === 0) return first;
  const required = namesIn(first).filter((name) => others.every((other) => namesIn(other).includes(name)));
  return { ...first, properties: joinProperties(objects, "anyOf"), required };
}

function mergeAll(parts: readonly JsonSchema[]): JsonSchema {
  const merged: JsonSchema = Object.assign({}, ...parts);
  if (!parts.some(({ properties }) => isRecord(properties))) return merged;
  return { ...merged, properties: joinProperties(parts, "allOf"), required: parts.flatMap(namesIn) };
}

function joinProperties(objects: readonly JsonSchema[], how: "anyOf" | "allOf"): JsonSchema {
  const found = new Map<string, unknown[]>();
  for (const { properties } of objects)
    for (const [name, schema] of Object.entries(toRecord(properties)))
      found.set(name, [...(found.get(name) ?? []), schema]);
  const joined = [...found].map(([name, schemas]) => {
    const [first] = schemas;
    return [name, schemas.length === 1 ? first : { [how]: schemas }] as const;
  });
  return Object.fromEntries(joined);
}

function namesIn({ required }: JsonSchema): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}

function typeOf(alternatives: readonly JsonSchema[], value: unknown, definitions: JsonSchema): string {
  const named = alternatives
    .map((schema) => nameOf(schema, definitions))
    .filter((name) => name !== undefined);
  const names = named.length === 0 ? [nameOf({ type: jsonTypeOf(value) }, definitions)] : named;
  return [...new Set(names)].join(" or ") || "any value";
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "number",
  integer: "integer",
  boolean: "true or false",
  object: "object",
  null: "null",
};

function nameOf(schema: JsonSchema, definitions: JsonSchema): string | undefined {
  const [first] = valuesOf(schema);
  const type = schema["type"] ?? (first === undefined ? undefined : jsonTypeOf(first));
  if (type !== "array") return typeof type === "string" ? typeNames[type] : undefined;
  const item = nameOf(resolve(toRecord(schema["items"]), definitions), definitions);
  return item === undefined ? "list" : `list of ${item === "object" ? "objects" : item}`;
}

function jsonTypeOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function valuesOf(schema: JsonSchema): readonly unknown[] {
  if (Array.isArray(schema["enum"])) return schema["enum"];
  return "const" in schema ? [schema["const"]] : [];
}

function exampleIn(schema: JsonSchema): unknown {
  const examples: unknown = schema["examples"];
  return schema["example"] ?? (Array.isArray(examples) ? examples[0] : undefined) ?? schema["default"];
}

function textIn(schema: JsonSchema, name: string): string | undefined {
  const value = schema[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function toRecord(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}
