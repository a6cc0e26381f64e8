import { HookwrightError, parseJson } from "@hookwright/domain";
import type { Json } from "@hookwright/domain";

export interface JsonBodyOptions {
  /** True if an array is permitted too. @default false */
  readonly arrays?: boolean;
  /** True if the body may be missing. It then counts as `{}`. @default false */
  readonly optional?: boolean;
}

/** Valid bodies nest at most six levels deep. The limit protects recursive code from a stack overflow. */
const deepestNesting = 64;

/** Valid objects have fewer than sixty fields. Unknown fields are ignored, but reading them takes time. */
const maximumFields = 1_000;

/** Of a body with a number that is parsed slowly. Only the host sends batches. */
const maximumValues = 20_000;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a body: a JSON object in UTF-8 (or an array, if permitted), within the limits above, without a `__proto__`
 * key.
 *
 * @throws HookwrightError `validation_failed` with status 400
 */
export function parseJsonBody(
  bytes: Uint8Array,
  { arrays = false, optional = false }: JsonBodyOptions,
): unknown {
  if (bytes.byteLength === 0) {
    if (optional) return {};
    throw malformed("body: is required");
  }
  const value = parse(decode(bytes), arrays);
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

function parse(text: string, isBatch: boolean): Json {
  try {
    return parseJson(text, isBatch ? {} : { maximumValues });
  } catch (error) {
    if (error instanceof RangeError)
      throw malformed(
        "body: must have fewer values if a number has more than 15 digits. Send that number as text",
      );
    // The parser's own message repeats a part of the body.
    throw malformed(text.trim() === "" ? "body: is required" : "body: must be well-formed JSON");
  }
}

/** Recursion is safe here, because it ends at the deepest permitted level. */
function checkStructure(value: Json, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > deepestNesting)
    throw malformed(`body: must not be nested deeper than ${deepestNesting} levels`);
  if (Array.isArray(value)) {
    for (const child of value) checkStructure(child, depth + 1);
    return;
  }
  // JSON.parse creates an own property. Code that copies objects by assignment would call the setter of the prototype.
  if (Object.hasOwn(value, "__proto__")) throw malformed("body: must not have a __proto__ key");
  const names = Object.keys(value);
  if (names.length > maximumFields)
    throw malformed(`body: must not have more than ${maximumFields} fields in an object`);
  for (const name of names) checkStructure(value[name] ?? null, depth + 1);
}

function malformed(message: string): HookwrightError {
  return new HookwrightError("validation_failed", message, { status: 400 });
}
