import type { z } from "zod";
import { HookwrightError } from "./errors.ts";

const maximumProblems = 20;

export interface ParseOptions {
  /** What the whole value is called when it is not even an object. @default "body" */
  readonly root?: string | undefined;
  /** The field that holds the whole value: it is put before the name of every other. @default none */
  readonly within?: string | undefined;
}

/**
 * Reads what is not trusted yet. All problems are told in one message, each with its field:
 * `email: must be an e-mail address; items.0.quantity: must be an integer`. No part of the value is repeated in it.
 *
 * @throws HookwrightError `validation_failed`
 *
 * @example
 * const body = parseInput(contactInputSchema, withoutEmpty(await request.json()));
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  options: ParseOptions = {},
): z.output<Schema> {
  const result = findProblems(schema, value, options);
  if (result.ok) return result.data;
  throw validationFailed(result.problems);
}

/** What was read, or every problem of it, each with its field. */
export type Parsed<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly problems: readonly string[] };

/** As `parseInput`, with the problems as a value, for callers that add their own. */
export function findProblems<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { root = "body", within }: ParseOptions = {},
): Parsed<z.output<Schema>> {
  const result = schema.safeParse(value, { error: problemText });
  if (result.success) return { ok: true, data: result.data };
  const outer = within === undefined ? [] : [within];
  return {
    ok: false,
    problems: result.error.issues.map(({ path, message }) => {
      const field = path.length === 0 ? root : [...outer, ...path].join(".");
      return `${field}: ${message}`;
    }),
  };
}

/** The error that tells all problems of one body, the first twenty in full. */
export function validationFailed(problems: readonly string[]): HookwrightError {
  const shown = [...new Set(problems)];
  const more = shown.length - maximumProblems;
  const rest = more > 0 ? `; and ${more} more` : "";
  return new HookwrightError("validation_failed", shown.slice(0, maximumProblems).join("; ") + rest);
}

const typeNames: Readonly<Record<string, string>> = {
  string: "must be text",
  number: "must be a number",
  int: "must be an integer",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
};

/** The words for one problem. Schemas of this package bring their own for anything but type, range and choice. */
function problemText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : (typeNames[issue.expected] ?? "has the wrong type");
    case "invalid_value":
      return issue.input === undefined
        ? "is required"
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_big":
      return issue.origin === "array"
        ? `must have at most ${issue.maximum} entries`
        : `must be at most ${issue.maximum}`;
    case "too_small":
      return issue.origin === "array"
        ? `must have at least ${issue.minimum} entries`
        : `must be at least ${issue.minimum}`;
    default:
      return issue.message ?? "is not valid";
  }
}
