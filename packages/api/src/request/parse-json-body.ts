import { HookwrightError } from "@hookwright/domain";

export interface JsonBodyOptions {
  /** Whether an array is as good as an object. */
  readonly arrays: boolean;
}

type Json = string | number | boolean | null | Json[] | { readonly [name: string]: Json };

/** No body of the contract nests deeper than six; what code further in does recursively stays far from its stack's end. */
const deepestNesting = 64;

/** No object of the contract has sixty. What is unknown is ignored, yet whoever reads a body goes through all of it. */
const mostFields = 1_000;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the bytes of a body: JSON in UTF-8, an object (or an array, where that is allowed), nested within reason, with fields
 * within reason, and without a `__proto__` key, at any depth.
 *
 * @throws HookwrightError `validation_failed` with status 400
 */
export function parseJsonBody(bytes: Uint8Array, { arrays }: JsonBodyOptions): unknown {
  if (bytes.byteLength === 0) throw malformed("body: is required");
  const value = parse(decode(bytes));
  if (typeof value !== "object" || value === null || (Array.isArray(value) && !arrays)) {
    throw malformed(arrays ? "body: must be a JSON object or array" : "body: must be a JSON object");
  }
  checkStructure(value, 1);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed("body: must be UTF-8");
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message repeats a part of the body.
    throw malformed(text.trim() === "" ? "body: is required" : "body: must be well-formed JSON");
  }
}

/** Recursively, since it turns back before the stack ends: a list for each level of a body full of brackets took three times as long as to parse it. */
function checkStructure(value: Json, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > deepestNesting)
    throw malformed(`body: must not be nested deeper than ${deepestNesting} levels`);
  if (Array.isArray(value)) {
    for (const child of value) checkStructure(child, depth + 1);
    return;
  }
  // JSON.parse makes it an own property like any other; code that copies objects by assignment would run into a setter.
  if (Object.hasOwn(value, "__proto__")) throw malformed("body: must not have a __proto__ key");
  const names = Object.keys(value);
  if (names.length > mostFields)
    throw malformed(`body: must not have more than ${mostFields} fields in an object`);
  for (const name of names) checkStructure(value[name] ?? null, depth + 1);
}

function malformed(message: string): HookwrightError {
  return new HookwrightError("validation_failed", message, { status: 400 });
}
