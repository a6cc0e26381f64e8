import { HookwrightError } from "./errors.ts";
import { parseJson, stringifyJson } from "./exact-json.ts";

/**
 * The data of an event as the JSON text that an outbox stores.
 *
 * @throws HookwrightError `validation_failed` for data that PostgreSQL cannot store
 */
export function toOutboxJson(data: unknown): string {
  let json: string;
  try {
    json = stringifyJson(data);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new HookwrightError("validation_failed", `data: cannot be written as JSON (${text})`, { cause });
  }
  if (!escapedZero.test(json)) return json;
  throw new HookwrightError(
    "validation_failed",
    "data: has text with the character U+0000, which PostgreSQL cannot store. Remove it",
  );
}

/** U+0000 in JSON. An even number of backslashes before it would be a text that only looks like it. */
const escapedZero = /(?<!\\)(?:\\\\)*\\u0000/u;

/** Only data that is nested too deeply cannot be parsed. It stays text, which is refused as no object. */
export function parseOutboxJson(json: string): unknown {
  try {
    return parseJson(json);
  } catch {
    return json;
  }
}
