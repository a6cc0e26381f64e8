import { z } from "zod";
import type { JsonSchema } from "./describe-fields.ts";
import type { RecordKind } from "./event-names.ts";
import type { OwnEvent } from "./own-events.ts";
import { isRecord } from "./plain-value.ts";
import { isTooLong, tooLong } from "./read-record.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";

/** An event that a host declares over the host API, without code. */
export interface DeclaredEvent {
  /** When it is sent, in one sentence. */
  readonly description: string;
  /** The JSON Schema (2020-12) of `data`. */
  readonly schema: JsonSchema;
  /** Data that the schema accepts. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** See `OwnEvent.record`. */
  readonly record?: RecordKind | undefined;
}

/** The largest JSON Schema in bytes of JSON. */
const maximumSchemaBytes = 64 * 1_024;
/** The deepest schema, and the deepest data that it is asked about. */
const maximumDepth = 32;
const longestPattern = 500;
const dialect = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/u;

/** Their values are data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples"]);

/**
 * Converts a declared event to an own event, or returns every problem of its schema.
 *
 * Local references are followed. `if`, `dependent…`, `unevaluated…` and `$dynamicRef` are not supported.
 */
export function toOwnEvent({
  description,
  schema,
  sample,
  record,
}: DeclaredEvent):
  | { readonly ok: true; readonly event: OwnEvent }
  | { readonly ok: false; readonly problems: readonly string[] } {
  if (new TextEncoder().encode(JSON.stringify(schema)).length > maximumSchemaBytes)
    return { ok: false, problems: [`schema: must be at most ${maximumSchemaBytes / 1_024} KiB as JSON`] };
  const problems: string[] = [];
  findSchemaProblems(schema, "schema", 0, problems);
  if (problems.length > 0) return { ok: false, problems };
  try {
    // It takes any JSON Schema, and throws for what it cannot check.
    const checked = z.fromJSONSchema({ ...schema }, { defaultTarget: "draft-2020-12" });
    return {
      ok: true,
      event: { description, schema: toStandardSchema(checked, schema), sample, record },
    };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, problems: [`schema: cannot be checked (${text.slice(0, 300)})`] };
  }
}

function toStandardSchema(checked: z.ZodType, schema: JsonSchema): StandardSchema {
  // `jsonSchema` is part of Standard JSON Schema.
  const standard = {
    version: 1,
    vendor: "hookwright",
    validate(value: unknown): StandardResult<unknown> {
      // A schema may take long for data of many megabytes, which no event may have.
      const issue = findIssue(value);
      if (issue !== undefined) return { issues: [issue] };
      const { data, error } = checked.safeParse(value);
      return error === undefined ? { value: data } : { issues: error.issues.map(toIssue) };
    },
    jsonSchema: { output: () => schema },
  } as const;
  return { "~standard": standard };
}

function findIssue(value: unknown): StandardIssue | undefined {
  if (isDeeper(value, maximumDepth)) return { message: `must be nested at most ${maximumDepth} levels deep` };
  const json = JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each));
  return isTooLong(json) ? { message: tooLong } : undefined;
}

function toIssue({ path, message }: z.core.$ZodIssue): StandardIssue {
  return { path, message };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** What a schema must not have, whether or not it is used. */
function findSchemaProblems(schema: unknown, path: string, depth: number, problems: string[]): void {
  if (typeof schema !== "object" || schema === null) return;
  // The keywords and the schemas under them alternate.
  if (depth > 2 * maximumDepth) {
    problems.push(`${path}: must be nested at most ${maximumDepth} levels deep`);
    return;
  }
  if (isRecord(schema)) {
    const { $schema: named, $ref: reference, $dynamicRef: dynamic, pattern, patternProperties } = schema;
    if (typeof named === "string" && !dialect.test(named))
      problems.push(`${path}.$schema: must be https://json-schema.org/draft/2020-12/schema, or left out`);
    for (const [name, target] of Object.entries({ $ref: reference, $dynamicRef: dynamic }))
      if (typeof target === "string" && !target.startsWith("#"))
        problems.push(`${path}.${name}: must begin with #, because remote schemas are not read`);
    const patterns = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
    for (const text of [...patterns, ...(typeof pattern === "string" ? [pattern] : [])]) {
      const problem = findPatternProblem(text);
      if (problem !== undefined) problems.push(`${path}.pattern: ${problem}`);
    }
  }
  for (const [name, inner] of Object.entries(schema))
    if (!dataKeywords.has(name)) findSchemaProblems(inner, `${path}.${name}`, depth + 1, problems);
}

/**
 * Patterns run in this process. A repetition of a group that itself repeats, or has an optional part or alternatives, may take time
 * that doubles with each character. Others take at most the time of a polynomial.
 */
function findPatternProblem(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `must have at most ${longestPattern} characters`;
  const groups: { isRepeating: boolean }[] = [{ isRepeating: false }];
  let closed: { readonly isRepeating: boolean } | undefined;
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\{\d*,?\d*\}|\(\??|./gsu)) {
    const group = groups.at(-1);
    if (group === undefined) return "is not a regular expression";
    const isRepetition = token === "*" || token === "+" || /^\{\d*,\d*\}$|^\{\d{2,}\}$/u.test(token);
    if (isRepetition && closed?.isRepeating === true)
      return "must not repeat a group that has a repetition, an optional part or alternatives, such as (a+)+, (a?b)* or (a|b)*, because checking it may take forever. Write [ab]*, for example";
    if (isRepetition || token === "|" || token === "?") group.isRepeating = true;
    if (/^\\[1-9k]/u.test(token)) return "must not refer to a group";
    closed = undefined;
    if (token.startsWith("(")) groups.push({ isRepeating: false });
    else if (token === ")") {
      closed = groups.pop();
      const outer = groups.at(-1);
      if (outer !== undefined && closed?.isRepeating === true) outer.isRepeating = true;
    }
  }
  return undefined;
}
