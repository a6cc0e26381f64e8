/** What a receiver answered, as far as it was read. */
export interface ResponseHead {
  readonly status: number;
  /** Lower-case names; repeated ones are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

export class ProtocolError extends Error {
  readonly code = "protocol";
  constructor(message: string) {
    super(message);
    this.name = "ProtocolError";
  }
}

export interface ResponseParser {
  /** The final head, once its section has come whole. */
  readonly head: ResponseHead | undefined;
  /** Body bytes kept so far, still encoded, at most `bodyLimitBytes`. */
  readonly body: Uint8Array;
  /** `complete`: the message has ended and not one byte follows it, so the connection may serve again. */
  readonly state: "reading" | "complete" | "spent";
  /** @throws ProtocolError when what came is no HTTP/1 response */
  push(chunk: Buffer): void;
  /** The peer has closed. @throws ProtocolError never; a head that is not whole leaves `head` undefined */
  end(): void;
}

/** A header section may be this long (contract §5). */
const maximumHeadBytes = 16_384;
/** So many 1xx answers may come before the final one (contract §5). */
const maximumInformational = 8;
const maximumChunkLineBytes = 1_024;

const lineFeed = 10;
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/u;
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;

type Framing =
  | { readonly type: "none" }
  | { readonly type: "length"; remaining: number }
  | { readonly type: "chunked"; phase: "size" | "data" | "data-end" | "trailer"; remaining: number; line: string }
  | { readonly type: "until-close" };

/**
 * Reads one HTTP/1 response (RFC 9112) of a receiver that is not trusted: the head is bounded, the body is kept
 * up to a limit, and everything unusual ends with a connection that is not used again.
 *
 * State is "spent" when the answer is longer than we keep, unframed, or followed by bytes nobody asked for.
 */
export function createResponseParser({ bodyLimitBytes }: { readonly bodyLimitBytes: number }): ResponseParser {
  let head: ResponseHead | undefined;
  let state: ResponseParser["state"] = "reading";
  let pending: Buffer | undefined;
  let informational = 0;
  let framing: Framing = { type: "none" };
  let reusable = true;
  const kept: Uint8Array[] = [];
  let keptBytes = 0;

  function push(chunk: Buffer): void {
    if (state === "complete") state = "spent"; // bytes after the end: whatever they are, they are no answer to us
    if (state === "spent") return;
    if (head !== undefined) return pushBody(chunk);
    let bytes = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
    pending = undefined;
    while (head === undefined) {
      const end = findHeadEnd(bytes);
      if (end === -1) {
        if (bytes.length >= maximumHeadBytes) throw new ProtocolError("the header section is longer than 16 KiB");
        pending = bytes;
        return;
      }
      if (end > maximumHeadBytes) throw new ProtocolError("the header section is longer than 16 KiB");
      const parsed = parseHead(bytes.latin1Slice(0, end));
      bytes = bytes.subarray(end);
      if (parsed.status >= 200) {
        head = parsed;
        reusable = parsed.keepAlive;
        framing = framingOf(parsed);
      } else if (parsed.status === 101) {
        throw new ProtocolError("the receiver switched protocols unasked");
      } else if (++informational > maximumInformational) {
        throw new ProtocolError("more than 8 informational answers");
      }
      if (head === undefined && bytes.length === 0) return;
    }
    if (framing.type === "none" || (framing.type === "length" && framing.remaining === 0)) finish(bytes);
    else if (bytes.length > 0) pushBody(bytes);
  }

  function pushBody(chunk: Buffer): void {
    if (framing.type === "length") {
      const part = chunk.subarray(0, framing.remaining);
      framing.remaining -= part.length;
      keep(part);
      if (framing.remaining === 0) finish(chunk.subarray(part.length));
    } else if (framing.type === "chunked") {
      pushChunked(chunk, framing);
    } else {
      keep(chunk);
    }
  }

  function pushChunked(chunk: Buffer, chunked: Framing & { type: "chunked" }): void {
    let offset = 0;
    while (offset < chunk.length && state === "reading") {
      if (chunked.phase === "data") {
        const part = chunk.subarray(offset, offset + chunked.remaining);
        offset += part.length;
        chunked.remaining -= part.length;
        if (chunked.remaining === 0) chunked.phase = "data-end";
        keep(part);
        continue;
      }
      const lineEnd = chunk.indexOf(lineFeed, offset);
      chunked.line += chunk.latin1Slice(offset, lineEnd === -1 ? chunk.length : lineEnd);
      if (chunked.line.length > maximumChunkLineBytes) throw new ProtocolError("a chunk line is longer than 1 KiB");
      if (lineEnd === -1) return;
      offset = lineEnd + 1;
      const line = chunked.line.endsWith("\r") ? chunked.line.slice(0, -1) : chunked.line;
      chunked.line = "";
      if (chunked.phase === "trailer") {
        if (line === "") return finish(chunk.subarray(offset));
      } else if (chunked.phase === "data-end") {
        if (line !== "") throw new ProtocolError("a chunk is longer than it says");
        chunked.phase = "size";
      } else {
        const size = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/u.exec(line)?.[1];
        if (size === undefined) throw new ProtocolError("a chunk size is not a hexadecimal number");
        chunked.remaining = Number.parseInt(size, 16);
        chunked.phase = chunked.remaining === 0 ? "trailer" : "data";
      }
    }
  }

  function keep(part: Uint8Array): void {
    if (part.length > 0) {
      const room = bodyLimitBytes - keptBytes;
      const fitting = part.subarray(0, room);
      // A copy, so that a few kept bytes do not hold the whole buffer of the socket.
      if (fitting.length > 0) kept.push(Uint8Array.from(fitting));
      keptBytes += fitting.length;
      if (part.length > room) state = "spent";
    }
  }

  function finish(rest: Uint8Array): void {
    if (state === "reading") state = reusable && rest.length === 0 ? "complete" : "spent";
  }

  return {
    get head() {
      return head;
    },
    get body() {
      return kept.length === 1 && kept[0] !== undefined ? kept[0] : Buffer.concat(kept);
    },
    get state() {
      return state;
    },
    push,
    end: () => {
      state = "spent";
    },
  };
}

interface ParsedHead extends ResponseHead {
  readonly keepAlive: boolean;
}

/** The index behind the empty line, or -1. A lone LF ends a line as well (RFC 9112 §2.2). */
function findHeadEnd(bytes: Buffer): number {
  let position = 0;
  for (;;) {
    const lineEnd = bytes.indexOf(lineFeed, position);
    if (lineEnd === -1) return -1;
    const next = bytes[lineEnd + 1];
    if (next === lineFeed) return lineEnd + 2;
    if (next === 13 && bytes[lineEnd + 2] === lineFeed) return lineEnd + 3;
    position = lineEnd + 1;
  }
}

function parseHead(text: string): ParsedHead {
  const lines = text.split("\n");
  const first = trimCarriageReturn(lines[0] ?? "");
  const match = statusLine.exec(first);
  if (match === null) throw new ProtocolError("the answer does not start with an HTTP/1 status line");
  const headers: Record<string, string> = Object.create(null);
  for (let index = 1; index < lines.length; index++) {
    const line = trimCarriageReturn(lines[index] ?? "");
    if (line === "") continue;
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!headerName.test(name)) throw new ProtocolError("a header line has no valid name");
    const value = line.slice(colon + 1).trim();
    const earlier = headers[name];
    headers[name] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  const connection = headers["connection"]?.toLowerCase() ?? "";
  const keepAlive = match[1] === "1" ? !connection.includes("close") : connection.includes("keep-alive");
  return { status: Number(match[2]), headers, keepAlive };
}

function framingOf({ status, headers }: ResponseHead): Framing {
  if (status === 204 || status === 304) return { type: "none" };
  const encoding = headers["transfer-encoding"];
  const length = headers["content-length"];
  if (encoding !== undefined) {
    // Both together is how responses are smuggled (RFC 9112 §6.3): read to the close, never reuse.
    if (length !== undefined || encoding.toLowerCase() !== "chunked") return { type: "until-close" };
    return { type: "chunked", phase: "size", remaining: 0, line: "" };
  }
  if (length === undefined) return { type: "until-close" };
  if (!/^\d{1,15}$/u.test(length)) throw new ProtocolError("Content-Length is not a number");
  return { type: "length", remaining: Number(length) };
}

function trimCarriageReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
