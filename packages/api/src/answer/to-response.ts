import { STATUS_CODES } from "node:http";
import type { H3Event } from "h3";
import type { Answer } from "./answer.ts";
import { createLingeringBody, mostLingeringBytes } from "./lingering-body.ts";

/** `Cache-Control`: responses contain secrets and personal data, and depend on the API key. */
export const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const commonPairs: readonly Header[] = Object.entries(commonHeaders);

/** h3 recognises its `HTTPResponse` by this symbol, so one that is made here works too. */
const responseMark = Symbol.for("h3.HTTPResponse");

type Header = readonly [name: string, value: string];

/** h3 turns this into a response. Its own class would create `Headers` first, which is slower. */
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
  lingeringBytes = mostLingeringBytes,
): PlainResponse {
  const { status, body, contentType = "application/json", closesConnection = false } = answer;
  const headers: Header[] = body === null ? [] : [["content-type", contentType]];
  headers.push(...headersOf(answer, extraHeaders));
  const respond = (sent: PlainResponse["body"]): PlainResponse => ({
    [responseMark]: true,
    status,
    // h3 would send an empty reason phrase, which looks like an error.
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
  return respond(createLingeringBody(Buffer.from(body), request ?? event.req.body, lingeringBytes));
}

/** The headers of the response itself replace the others. */
function headersOf({ headers }: Answer, extraHeaders: Readonly<Record<string, string>>): Header[] {
  if (headers !== undefined) return Object.entries({ ...commonHeaders, ...extraHeaders, ...headers });
  return [...commonPairs, ...Object.entries(extraHeaders)];
}
