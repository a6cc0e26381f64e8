import { HookwrightError } from "@hookwright/domain";

export interface JsonBodyOptions {
  /** Whether an array is as good as an object. */
  readonly arrays: boolean;
}

/** No body of the contract nests deeper than six; what code further in does recursively stays far from its stack's end. */
const deepestNesting = 64;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the bytes of a body: JSON in UTF-8, an object (or an array, where that is allowed), nested within reason, without a
 * `__proto__` key at any depth.
 *
 * @throws HookwrightError `validation_failed` with status 400
 */
export function parseJsonBody(bytes: Uint8Array, { arrays }: JsonBodyOptions): unknown {
  if (bytes.byteLength === 0) throw malformed("body: is required");
  const value = parse(decode(bytes));
  if (typeof value !== "object" || value === null || (Array.isArray(value) && !arrays)) {
    throw malformed(arrays ? "body: must be a JSON object or array" : "body: must be a JSON object");
  }
  checkStructure(value);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed("body: must be UTF-8");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message repeats a part of the body.
    throw malformed(text.trim() === "" ? "body: is required" : "body: must be well-formed JSON");
  }
}

/** Level by level rather than recursively: a megabyte of brackets would overflow the stack. */
function checkStructure(root: object): void {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > deepestNesting)
      throw malformed(`body: must not be nested deeper than ${deepestNesting} levels`);
    const next: object[] = [];
    for (const value of level) {
      // JSON.parse makes it an own property like any other; code that copies objects by assignment would run into a setter.
      if (Object.hasOwn(value, "__proto__")) throw malformed("body: must not have a __proto__ key");
      for (const child of Object.values(value)) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
}

function malformed(message: string): HookwrightError {
  return new HookwrightError("validation_failed", message, { status: 400 });
}
