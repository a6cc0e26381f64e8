import { createSchemaCheck } from "./check-json-schema.ts";
import type { JsonSchema } from "./describe-fields.ts";
import type { RecordKind } from "./event-names.ts";
import { findSchemaProblems } from "./find-schema-problems.ts";
import type { OwnEvent } from "./own-events.ts";
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

/** The deepest data that a schema is asked about. */
const maximumDepth = 32;

/**
 * Converts a declared event to an own event, or returns every problem of its schema.
 *
 * All of the draft 2020-12 is checked but what `findSchemaProblems` refuses.
 */
export function toOwnEvent({
  description,
  schema,
  sample,
  record,
}: DeclaredEvent):
  | { readonly ok: true; readonly event: OwnEvent }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const problems = findSchemaProblems(schema);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, event: { description, schema: toStandardSchema(schema), sample, record } };
}

function toStandardSchema(schema: JsonSchema): StandardSchema {
  const check = createSchemaCheck(schema);
  // `jsonSchema` is part of Standard JSON Schema.
  const standard = {
    version: 1,
    vendor: "hookwright",
    validate(value: unknown): StandardResult<unknown> {
      // A schema may take long for data of many megabytes, which no event may have.
      const issue = findIssue(value);
      const issues = issue === undefined ? check(value) : [issue];
      return issues.length === 0 ? { value } : { issues };
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

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}
