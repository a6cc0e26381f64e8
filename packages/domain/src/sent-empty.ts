import { z } from "zod";

/**
 * Removes the fields that were sent empty: `""`, white space, `null`, `[]`. Such a field counts as omitted
 * (specification, section 2.1), so call this before a schema. It checks only top-level fields and returns
 * anything but a plain object unchanged.
 *
 * @example withoutEmpty({ email: "ada@example.com", name: " ", tags: [] }) // { email: "ada@example.com" }
 */
export function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // fromEntries defines properties instead of assigning them, so a "__proto__" field cannot reach a prototype.
  return Object.fromEntries(Object.entries(value).filter(([, field]) => !isSentEmpty(field)));
}

/**
 * Like `withoutEmpty`, for the nested objects and arrays of a body. Removes only optional fields. Keeps a
 * meaningful `null`, for example "no limit" in a plan.
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
    return isSentEmpty(field) && countsAsOmitted(rule, field) ? [] : [[name, withoutEmptyIn(rule, field)]];
  });
  return Object.fromEntries(fields);
}

interface EmptyRule {
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

/** Caches the rules, because a body may have a hundred thousand items and a parse takes microseconds. */
const emptyRules = new WeakMap<z.ZodType, EmptyRule>();

function countsAsOmitted(rule: z.ZodType, field: unknown): boolean {
  let known = emptyRules.get(rule);
  if (known === undefined) {
    known = {
      isOptional: rule.safeParse(undefined).success,
      isNullable: rule.safeParse(null).success,
    };
    emptyRules.set(rule, known);
  }
  return known.isOptional && !(field === null && known.isNullable);
}

/** Returns whether a field counts as omitted: `""`, white space, `null`, `[]`, or `undefined`. */
export function isSentEmpty(field: unknown): boolean {
  if (typeof field === "string") return field.trim() === "";
  return field === null || field === undefined || (Array.isArray(field) && field.length === 0);
}
