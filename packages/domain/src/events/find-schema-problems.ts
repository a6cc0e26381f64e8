import { findReference, schemaTypes, toRegExp } from "./check-json-schema.ts";
import type { JsonSchema } from "./describe-fields.ts";
import { isRecord } from "./plain-value.ts";

/** The largest JSON Schema in bytes of JSON. */
const maximumBytes = 64 * 1_024;
const maximumDepth = 32;
const longestPattern = 500;
const maximumWays = 100_000;
const dialect = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/u;

interface Shape {
  readonly words: string;
  is(value: unknown): boolean;
}

const number: Shape = { words: "a number", is: (value) => typeof value === "number" };
const count: Shape = {
  words: "an integer, at least 0",
  is: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const text: Shape = { words: "text", is: (value) => typeof value === "string" };
const names: Shape = {
  words: "a list of names",
  is: (value) => Array.isArray(value) && value.every(text.is),
};
const schema: Shape = { words: "a schema", is: (value) => isRecord(value) || typeof value === "boolean" };
const schemas: Shape = {
  words: "a list of schemas",
  is: (value) => Array.isArray(value) && value.length > 0 && value.every(schema.is),
};
const named = ({ words, is }: Shape): Shape => ({
  words: `an object with ${words} for each name`,
  is: (value) => isRecord(value) && Object.values(value).every(is),
});
const namedSchemas = named(schema);
const missing = (words: string): Shape => ({ words, is: () => false });

/** What keywords must be. Others check nothing (the draft, section 4.3.1). */
const shapesOfKeywords: readonly (readonly [string, Shape])[] = [
  [
    "type",
    {
      words: `one of ${schemaTypes.join(", ")}, or a list of them`,
      is: (value) => {
        const types = [value].flat();
        return types.length > 0 && types.every((type) => schemaTypes.some((each) => each === type));
      },
    },
  ],
  ["enum", { words: "a list", is: Array.isArray }],
  ["minimum maximum exclusiveMinimum exclusiveMaximum", number],
  ["multipleOf", { words: "a number above 0", is: (value) => typeof value === "number" && value > 0 }],
  ["minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties", count],
  ["uniqueItems", { words: "true or false", is: (value) => typeof value === "boolean" }],
  ["pattern", text],
  ["required", names],
  ["dependentRequired", named(names)],
  ["additionalProperties propertyNames items contains unevaluatedItems unevaluatedProperties", schema],
  ["not if then else", schema],
  ["allOf anyOf oneOf prefixItems", schemas],
  ["properties patternProperties dependentSchemas $defs definitions", namedSchemas],
  [
    "$schema",
    {
      words: "https://json-schema.org/draft/2020-12/schema, or left out",
      is: (value) => typeof value === "string" && dialect.test(value),
    },
  ],
  ["$dynamicRef $recursiveRef", missing("left out. Write $ref")],
  ["dependencies", missing("dependentRequired or dependentSchemas")],
  ["additionalItems", missing("prefixItems with items")],
];

const shapes: ReadonlyMap<string, Shape> = new Map(
  shapesOfKeywords.flatMap(([keywords, shape]) => keywords.split(" ").map((keyword) => [keyword, shape])),
);

/** Every problem of a JSON Schema: what the draft 2020-12 does not allow, and what is not checked here. */
export function findSchemaProblems(root: JsonSchema): readonly string[] {
  if (new TextEncoder().encode(JSON.stringify(root)).length > maximumBytes)
    return [`schema: must be at most ${maximumBytes / 1_024} KiB as JSON`];
  const problems: string[] = [];
  const visited = new Set<unknown>();
  visit(root, "schema", 0);
  return problems;

  function visit(given: unknown, path: string, depth: number): void {
    if (!isRecord(given) || visited.has(given)) return;
    visited.add(given);
    if (depth > maximumDepth) {
      problems.push(`${path}: must be nested at most ${maximumDepth} levels deep`);
      return;
    }
    for (const [keyword, value] of Object.entries(given)) {
      const shape = shapes.get(keyword);
      const at = `${path}.${keyword}`;
      if (shape?.is(value) === false) problems.push(`${at}: must be ${shape.words}`);
      else if (keyword === "$ref") visitReference(value, at);
      else if (keyword === "$id" && depth > 0) problems.push(`${at}: must be at the top of the schema`);
      else if (keyword === "pattern") expectPattern(String(value), at);
      else if (shape === schema) visit(value, at, depth + 1);
      else if (shape === schemas || shape === namedSchemas)
        for (const [name, inner] of Object.entries(Object(value))) {
          if (keyword === "patternProperties") expectPattern(name, `${at}.${name}`);
          visit(inner, `${at}.${name}`, depth + 1);
        }
    }
  }

  function visitReference(reference: unknown, path: string): void {
    if (typeof reference !== "string" || !reference.startsWith("#")) {
      problems.push(`${path}: must begin with #, because remote schemas are not read`);
      return;
    }
    const found = findReference(root, reference);
    if (schema.is(found)) visit(found, path, 0);
    else
      problems.push(`${path}: must lead to a schema here, such as #/$defs/name. ${reference} leads to none`);
  }

  function expectPattern(pattern: string, path: string): void {
    const problem = findPatternProblem(pattern);
    if (problem !== undefined) problems.push(`${path}: ${problem}`);
  }
}

/** What was read of a group of a pattern, or of one of its alternatives. */
interface Group {
  /** Whether it has a repetition, an optional part or alternatives. */
  isRepeating: boolean;
  /** In how many ways a text may match the alternatives before. */
  before: number;
  /** The same of this alternative, up to its last part. A repetition counts as two ways. */
  ways: number;
  /** The same of its last part. */
  last: number;
}

/**
 * Patterns run in this process. A repetition of a group that itself repeats, or has an optional part or alternatives, may take time
 * that doubles with each character, and many optional parts or alternatives in a row may, too. Others take at most the time of a polynomial.
 */
function findPatternProblem(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `must have at most ${longestPattern} characters`;
  try {
    toRegExp(pattern);
  } catch {
    return "is not a regular expression";
  }
  const open = (): Group => ({ isRepeating: false, before: 0, ways: 1, last: 1 });
  const waysOf = ({ before, ways, last }: Group): number => before + ways * last;
  const groups = [open()];
  let closed: Group | undefined;
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\{\d*,?\d*\}|\(\??|./gsu)) {
    const group = groups.at(-1);
    if (group === undefined) return "is not a regular expression";
    const isRepetition = token === "*" || token === "+" || /^\{\d*,\d*\}$|^\{\d{2,}\}$/u.test(token);
    if (isRepetition && closed?.isRepeating === true)
      return "must not repeat a group that has a repetition, an optional part or alternatives, such as (a+)+, (a?b)* or (a|b)*, because checking it may take forever. Write [ab]*, for example";
    if (isRepetition || token === "|" || token === "?") group.isRepeating = true;
    if (/^\\[1-9k]/u.test(token)) return "must not refer to a group";
    if (token === "|") Object.assign(group, { ...open(), isRepeating: true, before: waysOf(group) });
    else if (/^\{\d+\}$/u.test(token)) group.last **= Number(token.slice(1, -1));
    else if (isRepetition || token === "?") group.last += 1;
    else if (token !== ")") Object.assign(group, { ways: group.ways * group.last, last: 1 });
    closed = undefined;
    if (token.startsWith("(")) groups.push(open());
    else if (token === ")") {
      closed = groups.pop();
      const outer = groups.at(-1);
      if (outer === undefined || closed === undefined) continue;
      outer.last = waysOf(closed);
      if (closed.isRepeating) outer.isRepeating = true;
    }
  }
  return groups.some((group) => waysOf(group) > maximumWays)
    ? "must have fewer repetitions, optional parts and alternatives in a row, because checking it may take forever"
    : undefined;
}
