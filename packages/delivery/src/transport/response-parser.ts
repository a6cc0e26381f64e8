import { excerptLimitBytes } from "./excerpt.ts";
import { describeNotHttp } from "./failure.ts";
import { headerValue } from "./answer.ts";
import type { HeaderList } from "./answer.ts";

/**
 * What comes next, or how the response has ended:
 *
 *     status-line → header → length ──────────────────→ complete or spent
 *          ↑ 1xx ←────┤
 *                     ├────→ chunk-size → trailer ────→ complete or spent
 *                     │          ↓ ↑
 *                     │        chunk → chunk-end
 *                     └────→ until-close
 *
 * `complete`: nothing follows the response, and the connection may be reused.
 * `spent`: it may not be reused. The body is malformed or longer than its limit, or something follows it.
 * `invalid`: the bytes are not an HTTP/1 response. It replaces `status-line` or `header`.
 */
type State = "status-line" | "header" | BodyState | "complete" | "spent" | "invalid";
type BodyState = "length" | "chunk-size" | "chunk" | "chunk-end" | "trailer" | "until-close";

/** The status line and headers of the final response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: HeaderList;
  /** How many malformed header lines were dropped. */
  readonly ignoredLines: number;
}

export interface ResponseParser {
  readonly state: State;
  /** Undefined until the header section is complete. */
  readonly head: ResponseHead | undefined;
  /** What is wrong with an `invalid` response. */
  readonly problem: string | undefined;
  /** Reads the first `length` bytes of memory that is overwritten afterwards. */
  push(memory: Buffer, length: number): void;
  /** The start of the body, still encoded. */
  body(): Buffer;
  /** Prepares for the next response on the connection. */
  restart(): void;
}

/** The longest header section (contract: Responses). Chunk sizes, chunk extensions and trailers together have the same limit. */
const maximumLineBytes = 16_384;
/** The most 1xx responses before the final one (contract: Responses). */
const maximumInformational = 8;
/** The text of a read whose head is cached stays in memory as long as the connection. */
const longestCachedRead = 1_024;

const statusLineStart = "HTTP/1.";
/** As lenient as curl and browsers: several blanks, no reason phrase, anything after the status. */
const statusLine = /^HTTP\/1\.([01])[ \t]+([1-9]\d\d)(?!\d)/u;
const validStatusLine = /^HTTP\/1\.[01] \d{3}(?: [^\0\r]*)?$/u;
/** A value must not contain CR or NUL (RFC 9110 §5.5). */
const headerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([^\0\r]*)$/u;
const chunkSize = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/u;
const noBytes = Buffer.alloc(0);

/**
 * Reads HTTP/1 responses (RFC 9112) of a receiver that is not trusted. The status line and the empty line after the headers
 * decide. A malformed header line, such as a PHP warning, is dropped and counted, and the connection is not reused.
 *
 * @param options.cachesHead whether further responses are expected, which are likely to have the same head
 */
export function createResponseParser({
  bodyLimitBytes = excerptLimitBytes,
  cachesHead = true,
} = {}): ResponseParser {
  let status = 0;
  let minorVersion = 1;
  let headers: string[] = [];
  let ignoredLines = 0;
  /** Whether a folded line can continue the header before it. */
  let canFold = false;
  let isWellFormed = true;
  /** False when a malformed or folded line may contain the length of the body. */
  let isFramingCertain = true;
  let informational = 0;
  let partialLine = "";
  let lineBytes = 0;
  /** Bytes of the body, or of its chunk. */
  let remaining = 0;
  let kept: Buffer = noBytes;
  let keptBytes = 0;
  /** The last head. A busy receiver repeats it byte for byte within a second, and then it is not parsed again. */
  let cache: Buffer = noBytes;
  let cachedBytes = 0;
  let cachedHead = { status, minorVersion, headers };

  function push(memory: Buffer, length: number): void {
    let offset = parser.head === undefined ? readHead(memory, length) : 0;
    let text: string | undefined;
    while (offset < length && !hasEnded(parser.state)) {
      if (parser.state === "length" || parser.state === "chunk" || parser.state === "until-close") {
        offset = readData(memory, offset, length);
      } else {
        text ??= memory.toString("latin1", 0, length);
        offset = readLine(text, offset);
      }
    }
    if (offset < length && parser.state === "complete") parser.state = "spent";
  }

  function readHead(memory: Buffer, length: number): number {
    const isAtStart = parser.state === "status-line" && lineBytes === 0;
    const isCached = isAtStart && cachedBytes > 0 && cachedBytes <= length;
    if (isCached && memory.compare(cache, 0, cachedBytes, 0, cachedBytes) === 0) {
      ({ status, minorVersion, headers } = cachedHead);
      endHead();
      return cachedBytes;
    }
    // In latin1 the index of a character is the index of its byte.
    const text = memory.toString("latin1", 0, length);
    let offset = 0;
    while (offset < length && parser.head === undefined && !hasEnded(parser.state))
      offset = readLine(text, offset);
    if (isAtStart && parser.head !== undefined && isWellFormed && informational === 0) {
      if (!cachesHead || length > longestCachedRead) return offset;
      if (cache.length === 0) cache = Buffer.allocUnsafeSlow(longestCachedRead);
      cachedBytes = memory.copy(cache, 0, 0, offset);
      cachedHead = { status, minorVersion, headers };
    }
    return offset;
  }

  function readData(memory: Buffer, offset: number, length: number): number {
    const end = Math.min(length, offset + remaining);
    remaining -= end - offset;
    const wanted = keptBytes + end - offset;
    keep(memory, offset, Math.min(wanted, bodyLimitBytes));
    if (keptBytes < wanted) parser.state = "spent";
    else if (remaining === 0 && parser.state === "length") complete();
    else if (remaining === 0) parser.state = "chunk-end";
    return end;
  }

  function keep(memory: Buffer, offset: number, length: number): void {
    if (length > kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(bodyLimitBytes, 2 * length));
      kept.copy(larger, 0, 0, keptBytes);
      kept = larger;
    }
    keptBytes += memory.copy(kept, keptBytes, offset, offset + length - keptBytes);
  }

  function readLine(text: string, offset: number): number {
    const lineFeed = text.indexOf("\n", offset);
    const isWhole = lineFeed !== -1;
    const end = isWhole ? lineFeed + 1 : text.length;
    const line = partialLine + text.slice(offset, isWhole ? lineFeed : end);
    lineBytes += end - offset;
    partialLine = isWhole ? "" : line;
    if (lineBytes > maximumLineBytes) {
      if (parser.head === undefined) refuse("The response headers are longer than 16 KiB.");
      else parser.state = "spent";
    } else if (isWhole) {
      // A lone LF also ends a line (RFC 9112 §2.2).
      const hasReturn = line.endsWith("\r");
      if (!hasReturn) isWellFormed = false;
      takeLine(hasReturn ? line.slice(0, -1) : line);
    } else if (parser.state === "status-line") {
      // An SSH banner without its end need not wait for the deadline.
      const isStatusLine = line.startsWith(statusLineStart) || statusLineStart.startsWith(line);
      if (!isStatusLine) refuse(describeNotHttp(line));
    }
    return end;
  }

  function takeLine(line: string): void {
    if (parser.state === "status-line") takeStatusLine(line);
    else if (parser.state === "header") takeHeaderLine(line);
    else if (parser.state === "chunk-size") takeChunkSize(line);
    else if (parser.state === "chunk-end") parser.state = line === "" ? "chunk-size" : "spent";
    else if (line === "") complete();
  }

  function takeStatusLine(line: string): void {
    const match = statusLine.exec(line);
    if (match === null) return refuse(describeNotHttp(line));
    if (!validStatusLine.test(line)) isWellFormed = false;
    minorVersion = Number(match[1]);
    status = Number(match[2]);
    parser.state = "header";
  }

  function takeHeaderLine(line: string): void {
    if (line === "") return endHead();
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      headers.push(name.toLowerCase(), value.trim());
      canFold = true;
      return;
    }
    isWellFormed = false;
    if (mayBeFraming(line)) isFramingCertain = false;
    if (/^\r+$/u.test(line)) {
      // CGI programs that write text on Windows end every line with CR CR LF, also the empty one.
      isFramingCertain = false;
      endHead();
    } else if (canFold && /^[ \t][^\0\r]*$/u.test(line)) {
      // It continues the value before it (RFC 9112 §5.2).
      if (/^(?:content-length|transfer-encoding)$/u.test(headers.at(-2) ?? "")) isFramingCertain = false;
      headers.push(`${headers.pop()} ${line.trim()}`);
    } else {
      ignoredLines += 1;
      canFold = false;
    }
  }

  function endHead(): void {
    lineBytes = 0;
    if (status >= 200) {
      parser.head = { status, headers, ignoredLines };
      beginBody();
    } else if (status === 101) {
      refuse("The endpoint answered 101: it switched to another protocol, which was not requested.");
    } else if (informational === maximumInformational) {
      refuse("More than 8 informational (1xx) responses came before the final one.");
    } else {
      informational += 1;
      restartHead();
    }
  }

  function beginBody(): void {
    const length = headerValue(headers, "content-length");
    const coding = headerValue(headers, "transfer-encoding");
    if (status === 204 || status === 304) {
      // Some receivers send that body all the same. It would be read as the next response.
      if (coding !== undefined || (length ?? "0") !== "0") isWellFormed = false;
      complete();
    } else if (isFramingCertain && coding === undefined && /^\d{1,15}$/u.test(length ?? "")) {
      remaining = Number(length);
      parser.state = "length";
      if (remaining === 0) complete();
    } else {
      // Both lengths together are used to smuggle responses. HTTP/1.0 has no transfer codings (RFC 9112 §6.1, §6.3).
      const isChunked = coding?.toLowerCase() === "chunked" && length === undefined && minorVersion === 1;
      parser.state = isFramingCertain && isChunked ? "chunk-size" : "until-close";
      remaining = Number.POSITIVE_INFINITY;
    }
  }

  function takeChunkSize(line: string): void {
    const size = chunkSize.exec(line)?.[1];
    remaining = Number.parseInt(size ?? "", 16);
    if (size === undefined) parser.state = "spent";
    else parser.state = remaining === 0 ? "trailer" : "chunk";
  }

  function complete(): void {
    const connection = headerValue(headers, "connection")?.toLowerCase() ?? "";
    const keepsAlive =
      !connection.includes("close") && (minorVersion === 1 || connection.includes("keep-alive"));
    parser.state = isWellFormed && keepsAlive ? "complete" : "spent";
  }

  function refuse(problem: string): void {
    parser.state = "invalid";
    parser.problem = problem;
  }

  function restartHead(): void {
    parser.state = "status-line";
    headers = [];
    ignoredLines = 0;
    canFold = false;
    isFramingCertain = true;
  }

  function restart(): void {
    restartHead();
    parser.head = parser.problem = undefined;
    isWellFormed = true;
    partialLine = "";
    informational = lineBytes = keptBytes = 0;
    // An idle connection holds no memory for a body.
    kept = noBytes;
  }

  // Not getters: V8 keeps an object literal that has a getter as a slow dictionary.
  const parser: { -readonly [Key in keyof ResponseParser]: ResponseParser[Key] } = {
    state: "status-line",
    head: undefined,
    problem: undefined,
    push,
    body: () => kept.subarray(0, keptBytes),
    restart,
  };
  return parser;
}

export function hasEnded(state: State): boolean {
  return state === "complete" || state === "spent" || state === "invalid";
}

/** Whether a more lenient reader could find the length of the body in a malformed line, or after a bare CR in it. */
function mayBeFraming(line: string): boolean {
  return line.split("\r").some((part) => {
    const [name = ""] = part.split(":", 1);
    return /contentlength|transferencoding/iu.test(name.replace(/[^a-z]/giu, ""));
  });
}
