import type { z } from "zod";
import { HookwrightError } from "./errors.ts";

const maximumProblems = 20;

export interface ParseOptions {
  /** The name of the whole value in problems. @default "body" */
  readonly root?: string | undefined;
  /** The field that contains the value, as a prefix of all names. @default none */
  readonly within?: string | undefined;
}

/**
 * Parses untrusted input. One message lists all problems with their fields: `email: must be an e-mail
 * address; items.0.quantity: must be an integer`. It does not quote the input.
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

/** The parsed data, or all problems with their fields. */
export type Parsed<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Like `parseInput`, but returns the problems, for callers that add their own. */
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

/** Creates the error for all problems of one body. It lists the first twenty. */
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

/**
 * Returns the text of one problem. Schemas of this package define their own texts except for type, range and
 * choice.
 */
function problemText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : (typeNames[issue.expected] ?? "has the wrong type");
    case "invalid_value":
      return issue.input === undefined
        ? "is required"
        : `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      return [...new Set(issue.errors.flat().map(({ message }) => message))].join(", or ");
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
