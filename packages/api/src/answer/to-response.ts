import { STATUS_CODES } from "node:http";
import type { H3Event } from "h3";
import type { Answer } from "./answer.ts";
import { createLingeringBody } from "./lingering-body.ts";

/** `Cache-Control`: answers hold secrets and personal data, and all of them depend on the key. */
export const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const commonPairs: readonly Header[] = Object.entries(commonHeaders);

/** By this h3 knows its `HTTPResponse` from any copy of itself, and so one that is made here. */
const responseMark = Symbol.for("h3.HTTPResponse");

type Header = readonly [name: string, value: string];

/** What h3 makes a response of. Its own class would turn the headers into `Headers` first, at 2 µs a request. */
export interface PlainResponse {
  readonly [responseMark]: true;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly Header[];
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** The response to an answer. */
export function toResponse(
  event: H3Event,
  answer: Answer,
  extraHeaders: Readonly<Record<string, string>>,
): PlainResponse {
  const { status, body, contentType = "application/json", closesConnection = false } = answer;
  const headers: Header[] = body === null ? [] : [["content-type", contentType]];
  headers.push(...headersOf(answer, extraHeaders));
  const respond = (sent: PlainResponse["body"]): PlainResponse => ({
    [responseMark]: true,
    status,
    // h3 would send an empty reason, which people who look at the wire take for a fault.
    statusText: STATUS_CODES[status] ?? "",
    headers,
    body: sent,
  });
  if (body === null) return respond(null);
  if (event.req.method === "HEAD") {
    headers.push(["content-length", String(Buffer.byteLength(body))]);
    return respond(null);
  }
  if (!closesConnection) return respond(body);
  const request = event.runtime?.node?.req;
  headers.push(["content-length", String(Buffer.byteLength(body))]);
  // HTTP/2 has no such header: there only the stream is closed. Of a `Request` the version is unknown; Node's HTTP/2 drops the header.
  if (request === undefined || request.httpVersionMajor < 2) headers.push(["connection", "close"]);
  return respond(createLingeringBody(Buffer.from(body), request ?? event.req.body));
}

/** Those of the answer itself go before the others. */
function headersOf({ headers }: Answer, extraHeaders: Readonly<Record<string, string>>): Header[] {
  if (headers !== undefined) return Object.entries({ ...commonHeaders, ...extraHeaders, ...headers });
  return [...commonPairs, ...Object.entries(extraHeaders)];
}
