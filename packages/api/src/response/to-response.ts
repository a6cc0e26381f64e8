import { STATUS_CODES } from "node:http";
import type { H3Event } from "h3";
import type { ApiResponse } from "./api-response.ts";
import { createLingeringBody, maximumLingeringBytes } from "./lingering-body.ts";

/** Responses contain secrets and personal data and depend on the API key, so no cache may store them. */
export const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** h3 recognises its own `HTTPResponse` by this symbol, so this object works too. */
const responseMark = Symbol.for("h3.HTTPResponse");

/** h3 turns this into a response. Its own class creates a `Headers` object first, which is slower. */
export interface PlainResponse {
  readonly [responseMark]: true;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** Adds the common headers and converts the response for h3. */
export function toResponse(
  event: H3Event,
  response: ApiResponse,
  extraHeaders: Readonly<Record<string, string>>,
  lingeringBytes = maximumLingeringBytes,
): PlainResponse {
  const { status, body, contentType = "application/json", closesConnection = false } = response;
  // The headers of the response override the common headers.
  const headers: Record<string, string> = { ...commonHeaders, ...extraHeaders, ...response.headers };
  if (body !== null) headers["content-type"] = contentType;
  const respond = (sent: PlainResponse["body"]): PlainResponse => ({
    [responseMark]: true,
    status,
    // Without a text, h3 would send an empty reason phrase.
    statusText: STATUS_CODES[status] ?? "",
    headers,
    body: sent,
  });
  if (body === null) return respond(null);
  if (body instanceof ReadableStream) {
    if (event.req.method !== "HEAD") return respond(body);
    void body.cancel();
    return respond(null);
  }
  if (event.req.method === "HEAD") {
    headers["content-length"] = String(Buffer.byteLength(body));
    return respond(null);
  }
  if (!closesConnection) return respond(body);
  const request = event.runtime?.node?.req;
  headers["content-length"] = String(Buffer.byteLength(body));
  // HTTP/2 has no such header: Node drops it and only the stream closes. A `Request` does not tell its HTTP version.
  if (request === undefined || request.httpVersionMajor < 2) headers["connection"] = "close";
  return respond(createLingeringBody(Buffer.from(body), request ?? event.req.body, lingeringBytes));
}
