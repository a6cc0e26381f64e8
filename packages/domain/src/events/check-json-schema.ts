import type { JsonSchema } from "./describe-fields.ts";
import { isRecord } from "./plain-value.ts";
import type { StandardIssue } from "./standard-schema.ts";

type Path = readonly (string | number)[];
interface Issue extends StandardIssue {
  readonly path: Path;
}
/** The fields or places of a value that a schema has looked at. `unevaluated…` checks the others. */
type Seen = Set<string | number>;

/** Alternatives that contain each other would take time that doubles with each level. */
const maximumSteps = 1_000_000;
/** Data has at most 32 levels, so only references that go round in circles get there. */
const maximumDepth = 1_000;
const maximumIssues = 20;
/** Decimals such as 19.99 are no exact multiples of 0.01 as binary numbers. */
const rounding = 4 * Number.EPSILON;

/**
 * Returns the function that checks data as the draft 2020-12 says. `format` and unknown keywords check nothing, as there.
 *
 * @param root a schema without a problem, see `findSchemaProblems`
 */
export function createSchemaCheck(root: JsonSchema): (value: unknown) => readonly StandardIssue[] {
  const patterns = new Map<string, RegExp>();

  function matches(pattern: string, text: string): boolean {
    const known = patterns.get(pattern) ?? toRegExp(pattern);
    patterns.set(pattern, known);
    return known.test(text);
  }

  return function checkData(data) {
    let steps = 0;

    function check(schema: unknown, value: unknown, path: Path, issues: Issue[], depth: number): Seen {
      const seen: Seen = new Set();
      const refuse = (message: string, at: Path = path): void => void issues.push({ path: at, message });
      steps += 1;
      if (steps > maximumSteps || depth > maximumDepth) {
        refuse("takes too many steps to check. Let no schema refer to itself for the same value");
        return seen;
      }
      if (schema === false) refuse("is not allowed");
      if (!isRecord(schema)) return seen;
      const rules = schema;

      const checkInPlace = (inner: unknown, into: Issue[] = issues): boolean => {
        const before = into.length;
        const found = check(inner, value, path, into, depth + 1);
        if (into.length > before) return false;
        for (const each of found) seen.add(each);
        return true;
      };
      const checkInside = (inner: unknown, name: string | number, each: unknown): void => {
        seen.add(name);
        check(inner, each, [...path, name], issues, depth + 1);
      };
      const isValid = (inner: unknown, each: unknown): boolean => {
        const found: Issue[] = [];
        check(inner, each, path, found, depth + 1);
        return found.length === 0;
      };

      const types = [rules["type"] ?? []].flat();
      if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
        refuse(`must be ${types.map((type) => typeWords[String(type)]).join(" or ")}`);
        return seen;
      }
      if ("const" in rules && !isSame(value, rules["const"])) refuse(`must be ${inWords(rules["const"])}`);
      const allowed = toList(rules["enum"]);
      if ("enum" in rules && !allowed.some((each) => isSame(value, each)))
        refuse(`must be one of ${allowed.map(inWords).join(", ")}`);
      if (typeof rules["$ref"] === "string") checkInPlace(findReference(root, rules["$ref"]));
      for (const inner of toList(rules["allOf"])) checkInPlace(inner);
      checkAlternatives();
      if ("not" in rules && isValid(rules["not"], value)) refuse("is refused by a schema under not");
      if ("if" in rules) checkInPlace(rules[checkInPlace(rules["if"], []) ? "then" : "else"]);
      if (typeof value === "number" || typeof value === "bigint") checkNumber(Number(value), rules, refuse);
      else if (typeof value === "string") checkText(value);
      else if (Array.isArray(value)) checkList(value);
      else if (isRecord(value)) checkObject(value);
      return seen;

      function checkAlternatives(): void {
        for (const keyword of ["anyOf", "oneOf"]) {
          if (!(keyword in rules)) continue;
          const refusals = toList(rules[keyword]).map((inner) => {
            const found: Issue[] = [];
            checkInPlace(inner, found);
            return found;
          });
          const accepted = refusals.filter(({ length }) => length === 0).length;
          if (accepted === 0) issues.push(...toNearest(refusals, path));
          else if (accepted > 1 && keyword === "oneOf")
            refuse(`must fit one schema of oneOf, but it fits ${accepted}`);
        }
      }

      function checkText(text: string): void {
        const { minLength, maxLength, pattern } = rules;
        const length = [...text].length;
        if (isBelow(length, minLength)) refuse(`must have at least ${minLength} characters`);
        if (isAbove(length, maxLength)) refuse(`must have at most ${maxLength} characters`);
        if (typeof pattern === "string" && !matches(pattern, text))
          refuse(`must match the pattern ${pattern}`);
      }

      function checkList(list: readonly unknown[]): void {
        const { minItems, maxItems, uniqueItems, prefixItems, items, ...rest } = rules;
        if (isBelow(list.length, minItems)) refuse(`must have at least ${minItems} entries`);
        if (isAbove(list.length, maxItems)) refuse(`must have at most ${maxItems} entries`);
        if (uniqueItems === true && new Set(list.map(toCanonical)).size < list.length)
          refuse("must not have equal entries");
        const first = toList(prefixItems);
        list.forEach((each, index) => {
          const inner = index < first.length ? first[index] : items;
          if (inner !== undefined) checkInside(inner, index, each);
        });
        if ("contains" in rest) {
          const { contains, minContains = 1, maxContains } = rest;
          const found = list.flatMap((each, index) => (isValid(contains, each) ? [index] : []));
          for (const index of found) seen.add(index);
          if (isBelow(found.length, minContains))
            refuse(`must have at least ${minContains} entries that fit contains`);
          if (isAbove(found.length, maxContains))
            refuse(`must have at most ${maxContains} entries that fit contains`);
        }
        const { unevaluatedItems } = rest;
        if (unevaluatedItems === undefined) return;
        list.forEach((each, index) => {
          if (!seen.has(index)) checkInside(unevaluatedItems, index, each);
        });
      }

      function checkObject(object: Readonly<Record<string, unknown>>): void {
        const { minProperties, maxProperties, propertyNames, additionalProperties, ...rest } = rules;
        const { unevaluatedProperties } = rest;
        const has = (name: string): boolean => Object.hasOwn(object, name) && object[name] !== undefined;
        const names = Object.keys(object).filter(has);
        for (const name of toList(rest["required"]))
          if (!has(String(name))) refuse("is required", [...path, String(name)]);
        if (isBelow(names.length, minProperties)) refuse(`must have at least ${minProperties} fields`);
        if (isAbove(names.length, maxProperties)) refuse(`must have at most ${maxProperties} fields`);
        const own = new Set<string>();
        for (const [name, inner] of Object.entries(toRecord(rest["properties"]))) {
          if (!has(name)) continue;
          own.add(name);
          checkInside(inner, name, object[name]);
        }
        for (const [pattern, inner] of Object.entries(toRecord(rest["patternProperties"])))
          for (const name of names.filter((each) => matches(pattern, each))) {
            own.add(name);
            checkInside(inner, name, object[name]);
          }
        for (const name of names) {
          if (propertyNames !== undefined && !isValid(propertyNames, name))
            refuse("has a name that propertyNames refuses", [...path, name]);
          if (additionalProperties !== undefined && !own.has(name))
            checkInside(additionalProperties, name, object[name]);
        }
        for (const [name, others] of Object.entries(toRecord(rest["dependentRequired"])))
          for (const other of has(name) ? toList(others) : [])
            if (!has(String(other))) refuse(`is required with ${name}`, [...path, String(other)]);
        for (const [name, inner] of Object.entries(toRecord(rest["dependentSchemas"])))
          if (has(name)) checkInPlace(inner);
        if (unevaluatedProperties === undefined) return;
        for (const name of names) if (!seen.has(name)) checkInside(unevaluatedProperties, name, object[name]);
      }
    }

    const issues: Issue[] = [];
    check(root, data, [], issues, 0);
    return issues.slice(0, maximumIssues);
  };
}

/** The schema that a local reference leads to: `#`, or a JSON Pointer such as `#/$defs/weight`. `undefined`: there is none. */
export function findReference(root: JsonSchema, reference: string): unknown {
  const [hash, ...names] = toPointer(reference).split("/");
  if (hash !== "#") return undefined;
  let found: unknown = root;
  for (const name of names.map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"))) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

function toPointer(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return "";
  }
}

/** Compiles a pattern as the draft says, with Unicode, or else as JavaScript does. @throws SyntaxError */
export function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

/** The names of the types of JSON Schema. */
export const schemaTypes: readonly string[] = Object.keys(typeWords);

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "number") return typeof value === "number" || typeof value === "bigint";
  if (type === "integer") return typeof value === "bigint" || Number.isInteger(value);
  return typeof value === type;
}

function checkNumber(value: number, schema: JsonSchema, refuse: (message: string) => void): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (isBelow(value, minimum)) refuse(`must be at least ${minimum}`);
  if (isAbove(value, maximum)) refuse(`must be at most ${maximum}`);
  if (isNumber(exclusiveMinimum) && value <= exclusiveMinimum)
    refuse(`must be more than ${exclusiveMinimum}`);
  if (isNumber(exclusiveMaximum) && value >= exclusiveMaximum)
    refuse(`must be less than ${exclusiveMaximum}`);
  if (!isNumber(multipleOf)) return;
  const times = value / multipleOf;
  if (!(Math.abs(times - Math.round(times)) <= rounding * Math.abs(times)))
    refuse(`must be a multiple of ${multipleOf}`);
}

/** The problems of the alternative that fits best: the one that got furthest into the value. */
function toNearest(refusals: readonly (readonly Issue[])[], path: Path): readonly Issue[] {
  const depthOf = (issues: readonly Issue[]): number => issues[0]?.path.length ?? 0;
  const [first = [], ...others] = refusals;
  const nearest = others.reduce((best, each) => (depthOf(each) > depthOf(best) ? each : best), first);
  if (depthOf(nearest) > path.length) return nearest;
  const reasons = new Set(refusals.flatMap((issues) => issues.map(({ message }) => message)));
  return [{ path, message: [...reasons].join(", or ") }];
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || toCanonical(one) === toCanonical(other);
}

/** Equal values have the same text, also with fields in another order. */
function toCanonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "bigint") return Number(each);
    return isRecord(each) ? Object.fromEntries(Object.entries(each).toSorted(byName)) : each;
  });
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function inWords(value: unknown): string {
  return JSON.stringify(value).slice(0, 100);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isBelow(value: number, limit: unknown): boolean {
  return isNumber(limit) && value < limit;
}

function isAbove(value: number, limit: unknown): boolean {
  return isNumber(limit) && value > limit;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toRecord(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}
