import { isRow } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { ownError } from "../cli-error.ts";

/** A field of a tool's input, in the part of JSON Schema that the tools use. */
export interface InputField {
  readonly type: "string" | "boolean" | "integer" | "number" | "object";
  readonly description?: string;
  /** 1 for a text that must not be empty. */
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, InputField>>;
  readonly required?: readonly string[];
}

/**
 * Checks the input of a tool. The package of the protocol does not check it.
 *
 * @throws {CliError} `wrong_usage`, with the name of the field and what it must be
 */
export function checkInput({ properties, required = [] }: InputSchema, input: Row): void {
  for (const name of Object.keys(input)) {
    if (Object.hasOwn(properties, name)) continue;
    const known = Object.keys(properties).join(", ") || "none";
    throw ownError("wrong_usage", `there is no input ${JSON.stringify(name)}. The inputs are: ${known}.`);
  }
  for (const [name, field] of Object.entries(properties)) {
    const value = input[name] ?? undefined;
    if (value === undefined && !required.includes(name)) continue;
    if (!fits(field, value)) throw ownError("wrong_usage", `${name} must be ${describe(field)}.`);
    const unsafe = findUnsafeInteger(value, name);
    if (unsafe !== undefined)
      throw ownError("wrong_usage", `${unsafe} must be a text, because a number this large loses digits.`);
  }
}

/** Returns the path of an integer that may have lost digits when the package of the protocol parsed it. */
function findUnsafeInteger(value: unknown, path: string): string | undefined {
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, field] of Object.entries(value)) {
    const found = findUnsafeInteger(field, `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fits(field: InputField, value: unknown): boolean {
  const { type, minLength = 0, minimum = -Infinity, maximum = Infinity } = field;
  switch (type) {
    case "string":
      return typeof value === "string" && value.length >= minLength;
    case "boolean":
      return typeof value === "boolean";
    case "object":
      return isRow(value);
    case "number":
    case "integer":
      return (
        typeof value === "number" &&
        (type === "number" ? Number.isFinite(value) : Number.isInteger(value)) &&
        value >= minimum &&
        value <= maximum
      );
    default:
      return type satisfies never;
  }
}

function describe({ type, minLength = 0, minimum, maximum }: InputField): string {
  const kind = {
    string: minLength > 0 ? "a text that is not empty" : "a text",
    boolean: "true or false",
    object: "an object",
    number: "a number",
    integer: "an integer",
  }[type];
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  return minimum === undefined ? kind : `${kind}, ${minimum} or more`;
}
