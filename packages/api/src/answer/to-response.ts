import { STATUS_CODES } from "node:http";
import type { H3Event } from "h3";
import type { Answer } from "./answer.ts";
import { createLingeringBody } from "./lingering-body.ts";

/** `Cache-Control`: answers hold secrets and personal data, and all of them depend on the key. */
export const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** By this h3 knows its `HTTPResponse` from any copy of itself, and so one that is made here. */
const responseMark = Symbol.for("h3.HTTPResponse");

/** What h3 makes a response of. Its own class would turn the headers into `Headers` first, at 2 µs a request. */
export interface PlainResponse {
  readonly [responseMark]: true;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** The response to an answer. */
export function toResponse(
  event: H3Event,
  answer: Answer,
  extraHeaders: Readonly<Record<string, string>>,
): PlainResponse {
  const { status, body, contentType = "application/json", closesConnection = false } = answer;
  const headers: Record<string, string> =
    body === null
      ? { ...commonHeaders, ...extraHeaders, ...answer.headers }
      : { "content-type": contentType, ...commonHeaders, ...extraHeaders, ...answer.headers };
  const respond = (sent: PlainResponse["body"]): PlainResponse => ({
    [responseMark]: true,
    status,
    // h3 would send an empty reason, which people who look at the wire take for a fault.
    statusText: STATUS_CODES[status] ?? "",
    headers: Object.entries(headers),
    body: sent,
  });
  if (body === null) return respond(null);
  if (event.req.method === "HEAD") {
    headers["content-length"] = String(Buffer.byteLength(body));
    return respond(null);
  }
  const request = event.runtime?.node?.req;
  if (!closesConnection || request === undefined) return respond(body);
  headers["content-length"] = String(Buffer.byteLength(body));
  // HTTP/2 has no such header: there the stream is closed, and the connection lives on.
  if (request.httpVersionMajor < 2) headers["connection"] = "close";
  return respond(createLingeringBody(Buffer.from(body), request));
}
