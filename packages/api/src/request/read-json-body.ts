import type { H3Event } from "h3";
import type { BodyLimits } from "./body-buffer.ts";
import { isJsonContent, unsupportedContent } from "./content-type.ts";
import { readNodeBody } from "./node-body.ts";
import { parseJsonBody } from "./parse-json-body.ts";
import type { JsonBodyOptions } from "./parse-json-body.ts";
import { readWebBody } from "./web-body.ts";

/**
 * Reads a request's body as JSON.
 *
 * @throws HookwrightError `validation_failed` with status 415, 413 (while the body arrives) or 400
 * @throws BodyMemoryError
 * @throws ApiError `body_already_read`
 */
export async function readJsonBody(
  event: H3Event,
  limits: BodyLimits,
  options: JsonBodyOptions,
): Promise<unknown> {
  const isJson = isJsonContent(event.req.headers);
  const bytes = await readBytes(event, limits);
  // Without a content type and without a body, the error says that the body is missing.
  if (!isJson && bytes.byteLength > 0) throw unsupportedContent();
  return parseJsonBody(bytes, options);
}

/** Node's stream is read directly, because a web stream around it is slower. */
function readBytes(event: H3Event, limits: BodyLimits): Promise<Uint8Array> {
  const request = event.runtime?.node?.req;
  return request === undefined ? readWebBody(event.req, limits) : readNodeBody(request, limits);
}
