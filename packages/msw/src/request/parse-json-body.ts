import { HookwrightError, parseJson } from "@hookwright/domain";

const limitBytes = 2 ** 20;
const maxNesting = 64;
const maxFields = 1_000;

/**
 * Parses a body like the service: a JSON object in UTF-8, at most 1 MiB, with limited nesting and number of
 * fields, without `__proto__`.
 *
 * @throws HookwrightError `validation_failed` with status 415, 413 or 400
 */
export function parseJsonBody(headers: Headers, bytes: Uint8Array): unknown {
  const isJson = isJsonContent(headers);
  if (bytes.byteLength > limitBytes) throw refuse(413, `must be at most ${limitBytes} bytes long`);
  if (bytes.byteLength === 0) throw refuse(400, "is required");
  if (!isJson) throw notJson();
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuse(400, "must be a JSON object");
  checkStructure(value, 1);
  return value;
}

function isJsonContent(headers: Headers): boolean {
  const contentType = headers.get("content-type") ?? "";
  if (contentType.trim() === "") return false;
  const [essence = ""] = contentType.split(";", 1);
  if (essence.trim().toLowerCase() !== "application/json") throw notJson();
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity") throw refuse(415, "must be sent without Content-Encoding");
  return true;
}

function parse(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  try {
    return parseJson(text);
  } catch {
    throw refuse(400, text.trim() === "" ? "is required" : "must be well-formed JSON");
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse(400, "must be UTF-8");
  }
}

function checkStructure(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > maxNesting) throw refuse(400, `must not be nested deeper than ${maxNesting} levels`);
  if (Object.hasOwn(value, "__proto__")) throw refuse(400, "must not have a __proto__ key");
  const children = Object.values(value);
  if (!Array.isArray(value) && children.length > maxFields)
    throw refuse(400, `must not have more than ${maxFields} fields in an object`);
  for (const child of children) checkStructure(child, depth + 1);
}

function notJson(): HookwrightError {
  return refuse(415, "must be sent with Content-Type: application/json");
}

function refuse(status: number, problem: string): HookwrightError {
  return new HookwrightError("validation_failed", `body: ${problem}`, { status });
}
