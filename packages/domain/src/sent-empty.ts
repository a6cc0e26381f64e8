import { z } from "zod";

/**
 * Drops the fields that were "sent empty": `""`, white space only, `null`, `[]`. Such a field counts as left out,
 * whatever its type (specification, section 2.1), so this comes before any schema. Only the fields of the object
 * itself are looked at; anything but a plain object is given back as it is, for the schema to refuse.
 *
 * @example withoutEmpty({ email: "ada@example.com", name: " ", tags: [] }) // { email: "ada@example.com" }
 */
export function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // fromEntries defines properties instead of assigning them, so a "__proto__" field cannot reach a prototype.
  return Object.fromEntries(Object.entries(value).filter(([, field]) => !isSentEmpty(field)));
}

/**
 * The same inside the objects and arrays of a body, for fields that may be left out. A `null` that says something stays: no limit,
 * in a plan.
 *
 * @example withoutEmptyIn(accountInputSchema, { plan: { name: "", blog_posts_per_site: null } }) // { plan: { blog_posts_per_site: null } }
 */
export function withoutEmptyIn(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    const inner = schema.unwrap();
    return inner instanceof z.ZodType ? withoutEmptyIn(inner, value) : value;
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const { element } = schema;
    return element instanceof z.ZodType ? value.map((one) => withoutEmptyIn(element, one)) : value;
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const rule: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (!(rule instanceof z.ZodType)) return [[name, field]];
    return isSentEmpty(field) && countsAsLeftOut(rule, field) ? [] : [[name, withoutEmptyIn(rule, field)]];
  });
  return Object.fromEntries(fields);
}

interface EmptyRule {
  readonly mayBeLeftOut: boolean;
  readonly mayBeNull: boolean;
}

/** Asking a schema takes some microseconds, and a body may have a hundred thousand items. */
const emptyRules = new WeakMap<z.ZodType, EmptyRule>();

function countsAsLeftOut(rule: z.ZodType, field: unknown): boolean {
  let known = emptyRules.get(rule);
  if (known === undefined) {
    known = {
      mayBeLeftOut: rule.safeParse(undefined).success,
      mayBeNull: rule.safeParse(null).success,
    };
    emptyRules.set(rule, known);
  }
  return known.mayBeLeftOut && !(field === null && known.mayBeNull);
}

/** Whether a field counts as left out: `""`, white space only, `null`, `[]`, or nothing. */
export function isSentEmpty(field: unknown): boolean {
  if (typeof field === "string") return field.trim() === "";
  return field === null || field === undefined || (Array.isArray(field) && field.length === 0);
}
