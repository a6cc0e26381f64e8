/**
 * A schema of any library that implements [Standard Schema](https://standardschema.dev), version 1: zod 4,
 * valibot, arktype and others.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type that a schema accepts. */
export type SchemaInput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["input"];

/** The type that a schema returns. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** Returns whether a value has the interface of Standard Schema. arktype's schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard: unknown = Reflect.get(value, "~standard");
  return (
    typeof standard === "object" &&
    standard !== null &&
    "version" in standard &&
    standard.version === 1 &&
    "validate" in standard &&
    typeof standard.validate === "function"
  );
}

export type SchemaCheck =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

export interface SchemaProblem {
  /** The path of the field, for example `items.0.sku`. Empty for the whole value. */
  readonly path: string;
  readonly reason: string;
}

/** An issue of a schema may quote a long value. */
const maximumReason = 300;

/** Validates a value. A schema that throws refuses the value, and one that answers with a promise refuses every value. */
export function checkSchema(schema: StandardSchema, value: unknown): SchemaCheck {
  let result: ReturnType<StandardSchema["~standard"]["validate"]>;
  try {
    result = schema["~standard"].validate(value);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const reason = `its schema threw an error: ${text}`.slice(0, maximumReason).toWellFormed();
    return { ok: false, problems: [{ path: "", reason }] };
  }
  if (result instanceof Promise) {
    // zod answers with a promise after an error, too. The result is not awaited, so its rejection must not end the process.
    result.catch(() => {});
    return {
      ok: false,
      problems: [
        {
          path: "",
          reason: "its schema is asynchronous, or threw an error. Remove asynchronous checks from the schema",
        },
      ],
    };
  }
  if (result.issues === undefined) return { ok: true, value: result.value };
  return {
    ok: false,
    problems: result.issues.map(({ path = [], message }) => ({
      path: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."),
      reason: message.slice(0, maximumReason).toWellFormed(),
    })),
  };
}
