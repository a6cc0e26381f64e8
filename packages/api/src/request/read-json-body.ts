import type { H3Event } from "h3";
import { isJsonContent, unsupportedContent } from "./content-type.ts";
import { readNodeBody } from "./node-body.ts";
import { parseJsonBody } from "./parse-json-body.ts";
import type { JsonBodyOptions } from "./parse-json-body.ts";
import { readWebBody } from "./web-body.ts";

/**
 * Reads a request's body as JSON.
 *
 * @throws HookwrightError `validation_failed` with status 415, 413 (while the body arrives) or 400
 * @throws ApiError `body_already_read`
 */
export async function readJsonBody(
  event: H3Event,
  limitBytes: number,
  options: JsonBodyOptions,
): Promise<unknown> {
  const isJson = isJsonContent(event.req.headers);
  const bytes = await readBytes(event, limitBytes);
  // Without a content type and without a body, the error is that the body is missing.
  if (!isJson && bytes.byteLength > 0) throw unsupportedContent();
  return parseJsonBody(bytes, options);
}

/** Node's stream is read directly: a web stream around it is slower. */
function readBytes(event: H3Event, limitBytes: number): Promise<Uint8Array> {
  const request = event.runtime?.node?.req;
  return request === undefined ? readWebBody(event.req, limitBytes) : readNodeBody(request, limitBytes);
}
