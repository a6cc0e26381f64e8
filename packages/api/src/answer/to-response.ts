import { STATUS_CODES } from "node:http";
import { HTTPResponse } from "h3";
import type { H3Event } from "h3";
import type { Answer } from "./answer.ts";
import { createLingeringBody } from "./lingering-body.ts";

/** `Cache-Control`: answers hold secrets and personal data, and all of them depend on the key. */
const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/**
 * The response to an answer. h3 sends an `HTTPResponse` on Node without making a web `Response` of it first, which is a
 * fifth faster.
 */
export function toResponse(
  event: H3Event,
  answer: Answer,
  extraHeaders: Readonly<Record<string, string>>,
): HTTPResponse {
  const { status, body, contentType = "application/json", closesConnection = false } = answer;
  const headers: Record<string, string> =
    body === null
      ? { ...commonHeaders, ...extraHeaders, ...answer.headers }
      : { "content-type": contentType, ...commonHeaders, ...extraHeaders, ...answer.headers };
  // h3 would send an empty reason, which people who look at the wire take for a fault.
  const init = { status, statusText: STATUS_CODES[status] ?? "", headers };
  if (body === null) return new HTTPResponse(null, init);
  if (event.req.method === "HEAD") {
    headers["content-length"] = String(Buffer.byteLength(body));
    return new HTTPResponse(null, init);
  }
  const request = event.runtime?.node?.req;
  if (!closesConnection || request === undefined) return new HTTPResponse(body, init);
  headers["content-length"] = String(Buffer.byteLength(body));
  // HTTP/2 has no such header: there the stream is closed, and the connection lives on.
  if (request.httpVersionMajor < 2) headers["connection"] = "close";
  return new HTTPResponse(createLingeringBody(body, request), init);
}
