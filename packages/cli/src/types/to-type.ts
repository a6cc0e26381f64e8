import { isRow, numberOf, rowOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { escapeControls, toSafeJson } from "../terminal/escape-controls.ts";

/** A type that a schema names by `$ref`. */
export interface NamedType {
  readonly name: string;
  readonly type: string;
}

export interface TypeOfSchema {
  readonly type: string;
  /** The types that it names, in the order of their first use. */
  readonly named: readonly NamedType[];
}

/** Where a type is written. */
interface Place {
  readonly indent: string;
  /** The reference whose type this is a part of, if no object or list is between: TypeScript refuses such a type that contains itself. */
  readonly user?: string | undefined;
  /** Whether the value is known to be an object. */
  readonly isObject?: boolean;
  readonly level: number;
}

/** The members of a union. None: `never`. */
type Union = readonly string[];

const anything: Union = ["unknown"];
/** Deeper values are `unknown`. A server takes no deeper schema. */
const deepest = 64;

/**
 * Converts a JSON Schema (2020-12) of an object to a type that all its values have. What TypeScript cannot express is left out, so the
 * type may allow more than the schema, down to `unknown`, but never less.
 *
 * It is our own because the known converters are larger than this command line: json-schema-to-typescript brings prettier and lodash.
 *
 * @param takeName returns a new name of a type, similar to the given words
 * @example toType({ type: "object", required: ["id"], properties: { id: { type: "string" } } }, takeName).type // "{\n  id: string;\n}"
 */
export function toType(root: Row, takeName: (words: string) => string, indent = ""): TypeOfSchema {
  const named: { readonly name: string; type: string }[] = [];
  const names = new Map<string, string>();
  const uses = new Map<string, Set<string>>();

  function refer(reference: string, user: string | undefined): Union {
    if (user !== undefined) {
      if (reaches(reference, user)) return anything;
      uses.set(user, (uses.get(user) ?? new Set()).add(reference));
    }
    const known = names.get(reference);
    if (known !== undefined) return [known];
    const target = find(root, reference);
    if (target === undefined) return anything;
    const added = { name: takeName(reference.replace(/^.*\//u, "")), type: "" };
    names.set(reference, added.name);
    named.push(added);
    added.type = toText(write(target, { indent: "", user: reference, level: 0, isObject: target === root }));
    return [added.name];
  }

  function reaches(from: string, to: string): boolean {
    const reached = new Set([from]);
    for (const each of reached) for (const next of uses.get(each) ?? []) reached.add(next);
    return reached.has(to);
  }

  function write(schema: unknown, place: Place): Union {
    if (schema === false) return [];
    if (!isRow(schema) || place.level > deepest) return anything;
    const { $id, $ref: reference, not, enum: values } = schema;
    // Its references have another root.
    if ($id !== undefined && schema !== root) return anything;
    if (typeof reference === "string") return refer(reference, place.user);
    if (not === true || (isRow(not) && Object.keys(not).length === 0)) return [];
    if ("const" in schema) return toLiteral(schema["const"]);
    if (Array.isArray(values)) return join(values.map(toLiteral));
    const same = { ...place, level: place.level + 1, isObject: isObject(schema, place) };
    const parts = (name: string): Union[] | undefined => {
      const list = schema[name];
      return Array.isArray(list) ? list.map((each) => write(each, same)) : undefined;
    };
    const unions = ["anyOf", "oneOf"].flatMap((name) => {
      const union = parts(name);
      return union === undefined ? [] : [join(union)];
    });
    return intersect([writeTyped(schema, place), ...(parts("allOf") ?? []), ...unions]);
  }

  function writeTyped(schema: Row, place: Place): Union {
    const { type } = schema;
    if (Array.isArray(type)) return join(type.map((each) => writeTyped({ ...schema, type: each }, place)));
    if (type === "string" || type === "boolean" || type === "null") return [type];
    if (type === "integer" || type === "number") return ["number"];
    if (type === "array") return [writeList(schema, place)];
    const { properties, required, additionalProperties } = schema;
    const isDescribed = [type, properties, required, additionalProperties].some((each) => each !== undefined);
    return isDescribed && isObject(schema, place) ? [writeObject(schema, place)] : anything;
  }

  function writeList(schema: Row, { indent, level }: Place): string {
    const { prefixItems, items = true } = schema;
    const inside = { indent, level: level + 1 };
    const list = `${inParentheses(write(items, inside))}[]`;
    if (!Array.isArray(prefixItems)) return list;
    const least = numberOf(schema, "minItems") ?? 0;
    const first = prefixItems.map(
      (each, index) => inParentheses(write(each, inside)) + (index < least ? "" : "?"),
    );
    return `[${[...first, ...(items === false ? [] : [`...${list}`])].join(", ")}]`;
  }

  function writeObject(schema: Row, { indent, level }: Place): string {
    const { required: always = [], additionalProperties } = schema;
    const properties = rowOf(schema, "properties") ?? {};
    const required = Array.isArray(always) ? always.filter((name) => typeof name === "string") : [];
    const ofPatterns = Object.values(rowOf(schema, "patternProperties") ?? {});
    const fields = [...new Set([...Object.keys(properties), ...required])];
    const inside = { indent: `${indent}  `, level: level + 1 };
    // Fields without a name, if the schema speaks of them: otherwise a mistyped name would be `unknown`.
    const others = additionalProperties ?? (fields.length === 0 || ofPatterns.length > 0);
    const ofOthers = join([others, ...ofPatterns].map((each) => write(each, inside)));
    // Not `Record<string, …>`: TypeScript refuses one that contains itself.
    if (fields.length === 0) return `{ [name: string]: ${toText(ofOthers)} }`;
    const lines = fields.flatMap((name) => {
      const field: unknown = Object.hasOwn(properties, name) ? properties[name] : true;
      const key = /^[A-Za-z_$][\w$]*$/u.test(name) ? name : toSafeJson(name);
      const type = toText(write(field, inside));
      return [...toComment(field), `${key}${required.includes(name) ? "" : "?"}: ${type};`];
    });
    if (ofOthers.length > 0) lines.push("[name: string]: unknown;");
    return ["{", ...lines.map((line) => inside.indent + line), `${indent}}`].join("\n");
  }

  const type = toText(write(root, { indent, user: "#", level: 0, isObject: true }));
  return { type: names.get("#") ?? type, named };
}

/** Whether all values are objects. */
function isObject({ type }: Row, place: Place): boolean {
  return type === undefined ? place.isObject === true : type === "object";
}

/** The schema at a JSON pointer of the root. `undefined` if there is none, also for an anchor. */
function find(root: Row, reference: string): unknown {
  const [first, ...path] = reference.split("/");
  if (first !== "#") return undefined;
  return path.reduce<unknown>((schema, part) => {
    const name = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof schema === "object" && schema !== null && Object.hasOwn(schema, name)
      ? Reflect.get(schema, name)
      : undefined;
  }, root);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function toLiteral(value: unknown): Union {
  if (typeof value === "number") return [Number.isFinite(value) ? String(value) : "number"];
  if (value === null || typeof value === "string" || typeof value === "boolean") return [toSafeJson(value)];
  return anything;
}

function join(unions: readonly Union[]): Union {
  const members = [...new Set(unions.flat())];
  return members.includes("unknown") ? anything : members;
}

function intersect(unions: readonly Union[]): Union {
  if (unions.some(({ length }) => length === 0)) return [];
  const known = unions.filter((union) => !union.includes("unknown"));
  const [only] = known;
  if (only === undefined || known.length === 1) return only ?? anything;
  return [`(${known.map(inParentheses).join(" & ")})`];
}

function inParentheses(union: Union): string {
  return union.length > 1 ? `(${toText(union)})` : toText(union);
}

function toText(union: Union): string {
  return union.length === 0 ? "never" : union.join(" | ");
}

/** The description of a schema as the lines of a comment, which its text cannot end. */
export function toComment(schema: unknown): readonly string[] {
  const { description, deprecated } = isRow(schema) ? schema : {};
  const text = [description, deprecated === true ? "@deprecated" : ""]
    .filter((part) => typeof part === "string")
    .join("\n")
    .trim()
    .replaceAll("*/", "*\\/");
  const [first = "", ...others] = text.split(/\r\n?|\n/u).map((line) => escapeControls(line.trimEnd()));
  if (others.length > 0) return ["/**", ...[first, ...others].map((line) => ` * ${line}`.trimEnd()), " */"];
  return first === "" ? [] : [`/** ${first} */`];
}
