import { HookwrightError } from "@hookwright/domain";

/**
 * True if a request declares its body as JSON, false if it declares nothing.
 *
 * @throws HookwrightError `validation_failed` with status 415, if it declares another type
 */
export function isJsonContent(headers: Headers): boolean {
  const contentType = headers.get("content-type");
  if (contentType === null || contentType.trim() === "") return false;
  const end = contentType.indexOf(";");
  // Parameters are ignored: JSON is UTF-8 (RFC 8259, section 8.1), and other encodings fail to decode.
  const essence = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  if (essence !== "application/json") throw unsupportedContent();
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity") {
    throw unsupported("body: must be sent without Content-Encoding");
  }
  return true;
}

export function unsupportedContent(): HookwrightError {
  return unsupported("body: must be sent with Content-Type: application/json");
}

function unsupported(message: string): HookwrightError {
  return new HookwrightError("validation_failed", message, { status: 415 });
}
