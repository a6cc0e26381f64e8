import type { JsonSchema } from "./describe-fields.ts";
import { isRecord } from "./plain-value.ts";
import type { StandardIssue } from "./standard-schema.ts";

/** From the value outwards, so that a step inwards copies nothing. */
interface Path {
  readonly outer: Path | undefined;
  readonly name: string | number;
  readonly length: number;
}
interface Issue {
  readonly path: Path | undefined;
  readonly message: string;
}
/** One schema and one value. */
interface Step {
  readonly rules: JsonSchema;
  readonly value: unknown;
  readonly path: Path | undefined;
  readonly issues: Issue[];
  readonly depth: number;
  /** The fields or places of the value that a schema has looked at. `unevaluated…` checks the others. */
  readonly seen: Set<string | number>;
}

/** Alternatives that contain each other would take time that doubles with each level. A step takes about a microsecond. */
const maximumSteps = 1_000_000;
/** Data has at most 32 levels, so only references that go round in circles get there. */
const maximumDepth = 1_000;
const maximumIssues = 20;
/** The values of an enum that a message names. */
const maximumNamed = 20;
/** The longest text that a pattern is asked about. Some patterns take the square of this time. */
const longestMatched = 10_000;
/** Decimals such as 19.99 are no exact multiples of 0.01 as binary numbers. */
const rounding = 4 * Number.EPSILON;

/**
 * Returns the function that checks data as the draft 2020-12 says. `format` and unknown keywords check nothing, as there.
 *
 * @param root a schema without a problem, see `findSchemaProblems`
 */
export function createSchemaCheck(root: JsonSchema): (value: unknown) => readonly StandardIssue[] {
  const toPattern = remember(toRegExp);
  const toSchema = remember((reference: string) => findReference(root, reference));
  const toAllowedWords = remember(
    (list: readonly unknown[]) =>
      `must be one of ${list.slice(0, maximumNamed).map(inWords).join(", ")}${list.length > maximumNamed ? ", …" : ""}`,
  );
  const toAllowed = remember((list: readonly unknown[]) => new Set(list.map(toCanonical)));
  let steps = 0;

  function matches(pattern: string, text: string): boolean {
    steps += 0.1 + text.length ** 2 / 4_000;
    return steps <= maximumSteps && toPattern(pattern).test(text);
  }

  function toCounted(value: unknown): string {
    const text = toCanonical(value);
    steps += text.length / 100;
    return text;
  }

  function check(
    schema: unknown,
    value: unknown,
    path: Path | undefined,
    issues: Issue[],
    depth: number,
  ): Step["seen"] | undefined {
    if (steps > maximumSteps || issues.length >= maximumIssues) return undefined;
    steps += depth > maximumDepth ? Infinity : 1 + sizeOf(value) / 100;
    if (schema === false) issues.push({ path, message: "is not allowed" });
    if (!isRecord(schema)) return undefined;
    const step: Step = { rules: schema, value, path, issues, depth, seen: new Set() };
    const { type } = schema;
    if (type !== undefined && !isOfAnyType(value, type)) {
      refuse(
        step,
        `must be ${[type]
          .flat()
          .map((each) => typeWords[String(each)])
          .join(" or ")}`,
      );
      return step.seen;
    }
    for (const keyword of Object.keys(schema)) {
      const rule = schema[keyword];
      if (keyword !== "enum") steps += sizeOf(rule) / 100;
      checkAny(step, keyword, rule);
      if (typeof value === "string") checkText(step, value, keyword, rule);
      else if (typeof value === "number" || typeof value === "bigint")
        checkNumber(step, Number(value), keyword, rule);
      else if (Array.isArray(value)) checkList(step, value, keyword, rule);
      else if (isRecord(value)) checkObject(step, value, keyword, rule);
    }
    // They come last, because they ask what the others have looked at.
    const { unevaluatedItems, unevaluatedProperties } = schema;
    if (unevaluatedItems !== undefined && Array.isArray(value))
      value.forEach((each, index) => {
        if (!step.seen.has(index)) checkInside(step, unevaluatedItems, index, each);
      });
    if (unevaluatedProperties !== undefined && isRecord(value))
      for (const name of Object.keys(value))
        if (has(value, name) && !step.seen.has(name))
          checkInside(step, unevaluatedProperties, name, value[name]);
    return step.seen;
  }

  function checkInside(step: Step, schema: unknown, name: string | number, value: unknown): void {
    step.seen.add(name);
    check(schema, value, inside(step.path, name), step.issues, step.depth + 1);
  }

  /** Returns whether the schema accepts the same value. */
  function checkInPlace(step: Step, schema: unknown, issues: Issue[] = step.issues): boolean {
    const before = issues.length;
    const found = check(schema, step.value, step.path, issues, step.depth + 1);
    if (issues.length > before) return false;
    if (found !== undefined) for (const each of found) step.seen.add(each);
    return true;
  }

  function isValid({ path, depth }: Step, schema: unknown, value: unknown): boolean {
    const issues: Issue[] = [];
    check(schema, value, path, issues, depth + 1);
    return issues.length === 0;
  }

  /** The keywords for values of any type. */
  function checkAny(step: Step, keyword: string, rule: unknown): void {
    const { value, rules } = step;
    switch (keyword) {
      case "$ref":
        return void checkInPlace(step, toSchema(String(rule)));
      case "const":
        return toCounted(value) === toCounted(rule) ? undefined : refuse(step, `must be ${inWords(rule)}`);
      case "enum":
        return toAllowed(toList(rule)).has(toCounted(value))
          ? undefined
          : refuse(step, toAllowedWords(toList(rule)));
      case "allOf":
        for (const inner of toList(rule)) checkInPlace(step, inner);
        return;
      case "anyOf":
      case "oneOf":
        return checkAlternatives(step, keyword, toList(rule));
      case "not":
        return isValid(step, rule, value) ? refuse(step, "is refused by a schema under not") : undefined;
      case "if":
        return void checkInPlace(step, rules[checkInPlace(step, rule, []) ? "then" : "else"]);
    }
  }

  function checkAlternatives(step: Step, keyword: "anyOf" | "oneOf", schemas: readonly unknown[]): void {
    const refusals = schemas.map((inner) => {
      const found: Issue[] = [];
      checkInPlace(step, inner, found);
      return found;
    });
    const accepted = refusals.filter(({ length }) => length === 0).length;
    if (accepted === 0) step.issues.push(...toNearest(refusals, step.path));
    else if (accepted > 1 && keyword === "oneOf")
      refuse(step, `must fit one schema of oneOf, but it fits ${accepted}`);
  }

  function checkText(step: Step, text: string, keyword: string, rule: unknown): void {
    switch (keyword) {
      case "minLength":
        return isBelow([...text].length, rule)
          ? refuse(step, `must have at least ${rule} characters`)
          : undefined;
      case "maxLength":
        return isAbove([...text].length, rule)
          ? refuse(step, `must have at most ${rule} characters`)
          : undefined;
      case "pattern":
        if (text.length > longestMatched)
          return refuse(step, `must have at most ${longestMatched} characters, because it has a pattern`);
        return matches(String(rule), text) ? undefined : refuse(step, `must match the pattern ${rule}`);
    }
  }

  function checkList(step: Step, list: readonly unknown[], keyword: string, rule: unknown): void {
    const { rules, seen } = step;
    const first = toList(rules["prefixItems"]);
    switch (keyword) {
      case "minItems":
        return isBelow(list.length, rule) ? refuse(step, `must have at least ${rule} entries`) : undefined;
      case "maxItems":
        return isAbove(list.length, rule) ? refuse(step, `must have at most ${rule} entries`) : undefined;
      case "uniqueItems":
        if (rule === true && new Set(list.map(toCounted)).size < list.length)
          refuse(step, "must not have equal entries");
        return;
      case "prefixItems":
        return list
          .slice(0, first.length)
          .forEach((each, index) => checkInside(step, first[index], index, each));
      case "items":
        return list.forEach((each, index) => {
          if (index >= first.length) checkInside(step, rule, index, each);
        });
      case "contains": {
        const { minContains = 1, maxContains } = rules;
        const found = list.flatMap((each, index) => (isValid(step, rule, each) ? [index] : []));
        for (const index of found) seen.add(index);
        if (isBelow(found.length, minContains))
          refuse(step, `must have at least ${minContains} entries that fit contains`);
        if (isAbove(found.length, maxContains))
          refuse(step, `must have at most ${maxContains} entries that fit contains`);
      }
    }
  }

  function checkObject(step: Step, object: JsonSchema, keyword: string, rule: unknown): void {
    const namesOf = (): string[] => Object.keys(object).filter((name) => has(object, name));
    switch (keyword) {
      case "required":
        for (const name of toList(rule))
          if (!has(object, String(name))) refuse(step, "is required", String(name));
        return;
      case "properties":
        for (const name of Object.keys(toRecord(rule)))
          if (has(object, name)) checkInside(step, toRecord(rule)[name], name, object[name]);
        return;
      case "patternProperties":
        for (const [pattern, inner] of Object.entries(toRecord(rule)))
          for (const name of namesOf())
            if (matches(pattern, name)) checkInside(step, inner, name, object[name]);
        return;
      case "additionalProperties": {
        const { properties, patternProperties } = step.rules;
        const known = Object.keys(toRecord(patternProperties));
        for (const name of namesOf())
          if (!Object.hasOwn(toRecord(properties), name) && !known.some((pattern) => matches(pattern, name)))
            checkInside(step, rule, name, object[name]);
        return;
      }
      case "propertyNames":
        for (const name of namesOf())
          if (!isValid(step, rule, name)) refuse(step, "has a name that propertyNames refuses", name);
        return;
      case "minProperties":
        return isBelow(namesOf().length, rule)
          ? refuse(step, `must have at least ${rule} fields`)
          : undefined;
      case "maxProperties":
        return isAbove(namesOf().length, rule) ? refuse(step, `must have at most ${rule} fields`) : undefined;
      case "dependentRequired":
        for (const [name, others] of Object.entries(toRecord(rule)))
          for (const other of has(object, name) ? toList(others) : [])
            if (!has(object, String(other))) refuse(step, `is required with ${name}`, String(other));
        return;
      case "dependentSchemas":
        for (const [name, inner] of Object.entries(toRecord(rule)))
          if (has(object, name)) checkInPlace(step, inner);
    }
  }

  return (data) => {
    steps = 0;
    const issues: Issue[] = [];
    check(root, data, undefined, issues, 0);
    // Not an issue of its own: under `not` it would be taken for a refusal.
    if (steps > maximumSteps) return [tooManySteps];
    return issues.slice(0, maximumIssues).map(({ path, message }) => ({ path: toNames(path), message }));
  };
}

const tooManySteps: StandardIssue = {
  message: "takes too many steps to check. Let no schema refer to itself for the same value",
};

/** @param field a field of the value that the problem is about */
function refuse({ path, issues }: Step, message: string, field?: string): void {
  if (issues.length < maximumIssues)
    issues.push({ path: field === undefined ? path : inside(path, field), message });
}

/** Characters, or ten for each entry or field, without what is inside. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return 10 * (Array.isArray(value) ? value : Object.keys(value)).length;
}

/** The same function, which calculates each result once. */
function remember<Key, Result>(calculate: (key: Key) => Result): (key: Key) => Result {
  const known = new Map<Key, Result>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const result = calculate(key);
    known.set(key, result);
    return result;
  };
}

function inside(outer: Path | undefined, name: string | number): Path {
  return { outer, name, length: 1 + (outer?.length ?? 0) };
}

function toNames(path: Path | undefined): (string | number)[] {
  return path === undefined ? [] : [...toNames(path.outer), path.name];
}

function has(object: JsonSchema, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined;
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

function isOfAnyType(value: unknown, type: unknown): boolean {
  return Array.isArray(type) ? type.some((each) => isOfType(value, each)) : isOfType(value, type);
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "number") return typeof value === "number" || typeof value === "bigint";
  if (type === "integer") return typeof value === "bigint" || Number.isInteger(value);
  return typeof value === type;
}

function checkNumber(step: Step, value: number, keyword: string, rule: unknown): void {
  if (!isNumber(rule)) return;
  if (keyword === "minimum" && value < rule) refuse(step, `must be at least ${rule}`);
  if (keyword === "maximum" && value > rule) refuse(step, `must be at most ${rule}`);
  if (keyword === "exclusiveMinimum" && value <= rule) refuse(step, `must be more than ${rule}`);
  if (keyword === "exclusiveMaximum" && value >= rule) refuse(step, `must be less than ${rule}`);
  if (keyword !== "multipleOf") return;
  const times = value / rule;
  if (!(Math.abs(times - Math.round(times)) <= rounding * Math.abs(times)))
    refuse(step, `must be a multiple of ${rule}`);
}

/** The problems of the alternative that fits best: the one that got furthest into the value. */
function toNearest(refusals: readonly (readonly Issue[])[], path: Path | undefined): readonly Issue[] {
  const depthOf = (issues: readonly Issue[]): number => issues[0]?.path?.length ?? 0;
  const [first = [], ...others] = refusals;
  const nearest = others.reduce((best, each) => (depthOf(each) > depthOf(best) ? each : best), first);
  if (depthOf(nearest) > (path?.length ?? 0)) return nearest;
  // Those of alternatives inside alternatives would be repeated otherwise.
  const reasons = new Set(refusals.flat().flatMap(({ message }) => message.split(", or ")));
  return [{ path, message: [...reasons].slice(0, maximumIssues).join(", or ") }];
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
