import type { Writable } from "../writable.ts";
import { describeNotHttp } from "./describe-failure.ts";
import type { HeaderList } from "./header-list.ts";
import { ProtocolError } from "./protocol-error.ts";

/** The status line and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: HeaderList;
  /** How many malformed header lines were dropped. */
  readonly ignoredLines: number;
}

export interface ParsedHead extends ResponseHead {
  /** The 1 of `HTTP/1.1`. */
  readonly minorVersion: number;
  /** Whether every line was valid. If not, the connection is not used again. */
  readonly isWellFormed: boolean;
  /** False when a malformed or folded line may have said how long the body is. */
  readonly isFramingCertain: boolean;
}

export interface HeadReader {
  /** The head, once its section has come whole. */
  readonly head: ParsedHead | undefined;
  /**
   * Reads from `offset` to `end`, and returns the index behind the empty line, or `end` when the section goes on.
   *
   * @throws ProtocolError as soon as the bytes cannot become a response head
   */
  read(chunk: Buffer, offset: number, end: number): number;
  /** Prepares for the next response on the same connection. */
  restart(): void;
}

/** The longest header section (contract §5). */
const maximumHeadBytes = 16_384;
/** Longer sections are not remembered. */
const maximumKnownBytes = 1_024;

const lineFeed = "\n";
const statusLineStart = "HTTP/1.";
/** As lenient as curl and browsers are: several blanks, no reason phrase, anything behind the status. */
const statusLine = /^HTTP\/1\.([01])[ \t]+([1-9]\d\d)(?!\d)/u;
const validStatusLine = /^HTTP\/1\.[01] \d{3}(?: [^\0\r]*)?$/u;
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;

/** A section that arrived in one read, and its parsed head. */
interface KnownSection {
  /** Not a part of shared memory, which would be kept as long as the connection. */
  readonly memory: Buffer;
  length: number;
  head: ParsedHead;
  /** Whether it has arrived more than once. */
  isUsual: boolean;
}

/**
 * Reads a status line and its header section line by line. Each byte is read once, also when they arrive one by one.
 * A busy receiver sends the same bytes again within a second. These are recognised and not parsed again.
 *
 * The status line and the empty line at the end decide. A malformed header line, such as a PHP warning, is dropped and counted.
 */
export function createHeadReader(): HeadReader {
  let status: { readonly code: number; readonly minorVersion: number } | undefined;
  let headers: string[] = [];
  let ignoredLines = 0;
  let isWellFormed = true;
  let isFramingCertain = true;
  /** Whether the line before was a valid header, so that a folded line can go on with it. */
  let canContinue = false;
  let line = "";
  let sectionBytes = 0;
  let known: KnownSection | undefined;

  function read(chunk: Buffer, offset: number, end: number): number {
    const isWhole = status === undefined && sectionBytes === 0;
    if (isWhole && known !== undefined && isNext(known, chunk, offset, end)) {
      reader.head = toUsualHead(known);
      return offset + known.length;
    }
    const sectionEnd = readLines(chunk, offset, end);
    const { head } = reader;
    if (isWhole && head !== undefined && sectionEnd - offset <= maximumKnownBytes) {
      const memory = known?.memory ?? Buffer.allocUnsafeSlow(maximumKnownBytes);
      known = toKnown(memory, head, chunk, offset, sectionEnd);
    }
    return sectionEnd;
  }

  function readLines(chunk: Buffer, offset: number, end: number): number {
    const text = chunk.toString("latin1", offset, Math.min(end, offset + maximumHeadBytes - sectionBytes));
    let position = 0;
    while (reader.head === undefined) {
      const lineEnd = text.indexOf(lineFeed, position);
      if (lineEnd === -1) {
        line += text.slice(position);
        sectionBytes += text.length;
        refuseIfHopeless();
        return end;
      }
      line += text.slice(position, lineEnd);
      position = lineEnd + 1;
      // A lone LF ends a line as well (RFC 9112 §2.2).
      const hasCarriageReturn = line.endsWith("\r");
      if (!hasCarriageReturn) isWellFormed = false;
      takeLine(hasCarriageReturn ? line.slice(0, -1) : line);
      line = "";
    }
    return offset + position;
  }

  /** The first bytes show that it is not HTTP. So the attempt need not wait ten seconds for the rest of an SSH banner. */
  function refuseIfHopeless(): void {
    if (status === undefined && !line.startsWith(statusLineStart) && !statusLineStart.startsWith(line)) {
      throw notHttp(line);
    }
    if (sectionBytes >= maximumHeadBytes)
      throw new ProtocolError("The response headers are longer than 16 KiB.");
  }

  function takeLine(complete: string): void {
    if (status === undefined) {
      const match = statusLine.exec(complete);
      if (match === null) throw notHttp(complete);
      if (!validStatusLine.test(complete)) isWellFormed = false;
      status = { code: Number(match[2]), minorVersion: Number(match[1]) };
    } else if (isEnd(complete)) {
      const { code, minorVersion } = status;
      reader.head = { status: code, minorVersion, headers, ignoredLines, isWellFormed, isFramingCertain };
    } else if (complete.startsWith(" ") || complete.startsWith("\t")) {
      takeFolded(complete);
    } else {
      takeHeader(complete);
    }
  }

  /** CGI programs that write text on Windows end every line with CR CR LF, the last one too. */
  function isEnd(complete: string): boolean {
    if (complete === "") return true;
    if (!/^\r+$/u.test(complete)) return false;
    isWellFormed = isFramingCertain = false;
    return true;
  }

  /** A folded line goes on with the value before it (RFC 9112 §5.2). */
  function takeFolded(complete: string): void {
    if (!canContinue || hasForbiddenByte(complete)) return ignore(complete);
    isWellFormed = false;
    if (mayBeFraming(complete) || isFramingName(headers.at(-2))) isFramingCertain = false;
    headers.push(`${headers.pop()} ${complete.trim()}`);
  }

  function takeHeader(complete: string): void {
    const colon = complete.indexOf(":");
    const name = complete.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!headerName.test(name) || hasForbiddenByte(complete)) return ignore(complete);
    headers.push(name, complete.slice(colon + 1).trim());
    canContinue = true;
  }

  function ignore(complete: string): void {
    ignoredLines += 1;
    canContinue = isWellFormed = false;
    if (mayBeFraming(complete)) isFramingCertain = false;
  }

  function restart(): void {
    reader.head = status = undefined;
    headers = [];
    ignoredLines = 0;
    isWellFormed = isFramingCertain = true;
    canContinue = false;
    line = "";
    sectionBytes = 0;
  }

  const reader: Writable<HeadReader> = { head: undefined, read, restart };
  return reader;
}

/** A value must not contain them (RFC 9110 §5.5). */
function hasForbiddenByte(line: string): boolean {
  return line.includes("\r") || line.includes("\0");
}

function isFramingName(name: string | undefined): boolean {
  return name === "content-length" || name === "transfer-encoding";
}

/** Whether a more lenient reader could take a malformed line, or what follows a bare CR in it, for the length of the body. */
function mayBeFraming(line: string): boolean {
  return line.split("\r").some((part) => {
    const [name = ""] = part.split(":", 1);
    return /contentlength|transferencoding/iu.test(name.replace(/[^a-z]/giu, ""));
  });
}

function isNext({ memory, length }: KnownSection, chunk: Buffer, offset: number, end: number): boolean {
  return offset + length <= end && memory.compare(chunk, offset, offset + length, 0, length) === 0;
}

function toKnown(memory: Buffer, head: ParsedHead, chunk: Buffer, start: number, end: number): KnownSection {
  return { memory, length: chunk.copy(memory, 0, start, end), head, isUsual: false };
}

/**
 * Its headers become texts of their own: pieces of the section would be written into the log at half the speed. They are made by `Array.from`,
 * because `map` makes an array that V8 takes for one with holes: code for the other kind would be thrown away each time one of them came.
 */
function toUsualHead(known: KnownSection): ParsedHead {
  if (!known.isUsual) {
    const { head } = known;
    known.head = {
      ...head,
      headers: Array.from(head.headers, (text) => Buffer.from(text, "latin1").toString("latin1")),
    };
    known.isUsual = true;
  }
  return known.head;
}

function notHttp(start: string): ProtocolError {
  return new ProtocolError(describeNotHttp(start));
}
