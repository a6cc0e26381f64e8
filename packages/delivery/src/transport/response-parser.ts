import type { Writable } from "../writable.ts";
import { createChunkedReader } from "./chunked-body.ts";
import type { ChunkedReader } from "./chunked-body.ts";
import { headerValue } from "./header-list.ts";
import type { HeaderList } from "./header-list.ts";
import { createKeptBytes } from "./kept-bytes.ts";
import type { KeptBytes } from "./kept-bytes.ts";
import { ProtocolError } from "./protocol-error.ts";
import { createHeadReader } from "./response-head.ts";
import type { ParsedHead, ResponseHead } from "./response-head.ts";

export interface ResponseParser {
  /** The final head, once its section is complete. */
  readonly head: ResponseHead | undefined;
  /** Of the body, still encoded, at most `bodyLimitBytes`. */
  readonly body: Pick<KeptBytes, "length" | "text" | "copy">;
  /**
   * `complete`: the message has ended, nothing follows it, and the connection may be reused.
   * `spent`: it may not be reused. The body is too long, malformed or ends with the connection, or more bytes follow.
   */
  readonly state: "reading" | "complete" | "spent";
  /** Reads the first `length` bytes. @throws ProtocolError when they are no HTTP/1 response, never once there is a head */
  push(chunk: Buffer, length: number): void;
  /** Prepares for the next response on the same connection. Only after `complete`. */
  restart(): void;
}

/** The most 1xx responses before the final one (contract §5). */
const maximumInformational = 8;

type Framing =
  | { readonly type: "length"; remaining: number }
  | { readonly type: "chunked"; readonly reader: ChunkedReader }
  | { readonly type: "until-close" };

/**
 * Reads one HTTP/1 response (RFC 9112) of a receiver that is not trusted. The head is limited, the body is kept up to
 * a limit, and after anything unusual the connection is not reused.
 *
 * Nothing throws once the head is complete: the status decides the attempt, however malformed the body is.
 */
export function createResponseParser({
  bodyLimitBytes,
}: {
  readonly bodyLimitBytes: number;
}): ResponseParser {
  const headReader = createHeadReader();
  let informational = 0;
  let isWellFormed = true;
  let framing: Framing | undefined;
  const kept = createKeptBytes(bodyLimitBytes);

  function push(chunk: Buffer, length: number): void {
    if (parser.state === "complete") parser.state = "spent";
    if (parser.state === "spent") return;
    const offset = framing === undefined ? pushHead(chunk, length) : 0;
    if (framing === undefined) return;
    pushBody(chunk, offset, length, framing);
    if (parser.state === "reading") kept.own();
  }

  function pushHead(chunk: Buffer, length: number): number {
    let offset = 0;
    while (offset < length && parser.head === undefined) {
      offset = headReader.read(chunk, offset, length);
      const next = headReader.head;
      if (next === undefined) break;
      if (!next.isWellFormed) isWellFormed = false;
      if (next.status >= 200) {
        parser.head = next;
        framing = framingOf(next);
      } else {
        takeInformational(next.status);
      }
    }
    return offset;
  }

  function takeInformational(status: number): void {
    if (status === 101)
      throw new ProtocolError(
        "The endpoint answered 101: it switched to another protocol, which was not requested.",
      );
    informational += 1;
    if (informational > maximumInformational)
      throw new ProtocolError("More than 8 informational (1xx) responses came before the final one.");
    headReader.restart();
  }

  function pushBody(bytes: Buffer, start: number, end: number, by: Framing): void {
    if (by.type === "length") {
      const partEnd = Math.min(end, start + by.remaining);
      by.remaining -= partEnd - start;
      keep(bytes, start, partEnd);
      if (by.remaining === 0) finish(end - partEnd);
    } else if (by.type === "chunked") {
      const bodyEnd = by.reader.read(bytes, start, end, keep);
      if (!by.reader.isWellFormed) isWellFormed = false;
      if (by.reader.broken) parser.state = "spent";
      else if (bodyEnd !== -1) finish(end - bodyEnd);
    } else {
      keep(bytes, start, end);
    }
  }

  function keep(bytes: Buffer, start: number, end: number): void {
    if (!kept.keep(bytes, start, end)) parser.state = "spent";
  }

  function finish(surplusBytes: number): void {
    const { head, state } = parser;
    if (state !== "reading") return;
    const isReusable = surplusBytes === 0 && isWellFormed && head !== undefined && keepsAlive(head);
    parser.state = isReusable ? "complete" : "spent";
  }

  function restart(): void {
    parser.state = "reading";
    parser.head = framing = undefined;
    informational = 0;
    isWellFormed = true;
    headReader.restart();
    kept.clear();
  }

  const parser: Writable<ResponseParser> & { head: ParsedHead | undefined } = {
    head: undefined,
    body: kept,
    state: "reading",
    push,
    restart,
  };
  return parser;
}

function keepsAlive({ status, minorVersion, headers }: ParsedHead): boolean {
  // Some receivers send that body all the same. It would be read as the next response.
  if (hasNoBody(status) && announcesBody(headers)) return false;
  const connection = headerValue(headers, "connection")?.toLowerCase();
  if (connection?.includes("close") === true) return false;
  return minorVersion === 1 || connection?.includes("keep-alive") === true;
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}

function announcesBody(headers: HeaderList): boolean {
  const length = headerValue(headers, "content-length") ?? "0";
  return length !== "0" || headerValue(headers, "transfer-encoding") !== undefined;
}

function framingOf({ status, minorVersion, headers, isFramingCertain }: ParsedHead): Framing {
  if (hasNoBody(status)) return { type: "length", remaining: 0 };
  if (!isFramingCertain) return { type: "until-close" };
  const encoding = headerValue(headers, "transfer-encoding");
  const length = headerValue(headers, "content-length");
  if (encoding !== undefined) {
    // Both together are used to smuggle responses, and HTTP/1.0 has no transfer codings (RFC 9112 §6.1, §6.3).
    const plain = length === undefined && minorVersion === 1 && encoding.toLowerCase() === "chunked";
    return plain ? { type: "chunked", reader: createChunkedReader() } : { type: "until-close" };
  }
  // An invalid length, or several: read to the close.
  if (length === undefined || !/^\d{1,15}$/u.test(length)) return { type: "until-close" };
  return { type: "length", remaining: Number(length) };
}
