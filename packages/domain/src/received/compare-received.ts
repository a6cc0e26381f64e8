import { hiddenHeaderValue } from "../custom-headers.ts";
import { findHeaderPrefix, nameSignedHeaders } from "../signed-headers.ts";
import { listBodyVariants, longestVariant, parseBody } from "./body-variants.ts";
import { explainHeaders, normaliseHeaderName } from "./explain-headers.ts";
import type { Problem } from "./explain-headers.ts";
import { parseHeaderLines, parsePrintedRequest, valuesOf } from "./header-lines.ts";
import type { HeaderLines } from "./header-lines.ts";
import { shorten } from "./shorten.ts";

/** A request as it was sent. */
export interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Where two bodies begin to differ. Characters that cannot be seen are written as symbols or `⟨U+FEFF⟩`. */
export interface BodyDifference {
  /** In bytes from 0. */
  readonly offset: number;
  /** Of the body that was sent, from 1. Columns are characters. */
  readonly line: number;
  readonly column: number;
  /** What both have before it. */
  readonly before: string;
  /** What was sent from there on. Empty at the end. */
  readonly sent: string;
  readonly received: string;
}

export interface Comparison {
  /** What the received text contains. */
  readonly parts: readonly ("headers" | "body")[];
  /** Undefined: the bodies are equal, or only headers were received. */
  readonly difference: BodyDifference | undefined;
  /** What is different, and the likely cause of it. Empty if everything arrived as it was sent. */
  readonly problems: readonly Problem[];
}

/**
 * Compares what was received with what was sent: a body, headers, or both as the text of an HTTP request or as an object.
 *
 * @param received bytes of a file, or a text
 */
export function compareReceived(sent: SentRequest, received: string | Uint8Array): Comparison {
  const { headers, body } = split(received, sent.headers);
  const problems: Problem[] = [];
  if (headers !== undefined) problems.push(...compareHeaders(sent.headers, headers));
  if (body === undefined) return { parts: ["headers"], difference: undefined, problems };
  const parts = headers === undefined ? (["body"] as const) : (["headers", "body"] as const);
  const original = new TextEncoder().encode(sent.body);
  const difference = findDifference(original, body);
  if (difference !== undefined)
    problems.push({ problem: "body_changed", message: explainBody(original, body, sent.body) });
  return { parts, difference, problems };
}

/**
 * A text that begins with header lines is a message, and so is an object with a signed header. A text with a line that is no header is a
 * body.
 */
function split(
  received: string | Uint8Array,
  sent: SentRequest["headers"],
): { headers?: HeaderLines; body?: Uint8Array } {
  const bytes = typeof received === "string" ? new TextEncoder().encode(received) : received;
  const printed = parsePrintedRequest(decode(bytes));
  if (printed?.headers.some(([name]) => isSignedHeader(name, sent)) === true) {
    const { headers, body } = printed;
    return { headers, ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }) };
  }
  // A body begins otherwise. The bytes stay as they are: only headers are read as text.
  const text = new TextDecoder("latin1").decode(bytes);
  if (!/^\s*(?:[A-Z]+ \S+ HTTP\/[\d.]+|[<>] |[\w-]+:\s)/u.test(text)) return { body: bytes };
  const parsed = parseHeaderLines(text);
  if (!parsed.ok || parsed.headers.length === 0) return { body: bytes };
  const { headers, rest = "" } = parsed;
  return rest === "" ? { headers } : { headers, body: bytes.subarray(text.length - rest.length) };
}

function isSignedHeader(name: string, sent: SentRequest["headers"]): boolean {
  const { timestamp, signature, delivery } = nameSignedHeaders(findHeaderPrefix(Object.keys(sent)));
  return [timestamp, signature, delivery].some(
    (each) => normaliseHeaderName(each) === normaliseHeaderName(name),
  );
}

/** HTTP allows a proxy to add to these, or to set them anew. They are not signed. */
const ofProxies: ReadonlySet<string> = new Set(["content-type", "user-agent"]);

function quoted(value: string): string {
  return JSON.stringify(shorten(value));
}

function compareHeaders(sent: SentRequest["headers"], received: HeaderLines): readonly Problem[] {
  const headerPrefix = findHeaderPrefix(Object.keys(sent));
  const names = nameSignedHeaders(headerPrefix);
  const [delivery] = valuesOf(received, names.delivery);
  const sentDelivery = sent[names.delivery];
  if (delivery !== undefined && sentDelivery !== undefined && delivery !== sentDelivery)
    return [
      {
        problem: "other_request",
        message: `This is another delivery: ${shorten(delivery)}. Open it and compare there.`,
      },
    ];
  const [timestamp = ""] = valuesOf(received, names.timestamp);
  const sentAt = sent[names.timestamp];
  if (/^\d+$/u.test(timestamp) && sentAt !== undefined && timestamp !== sentAt)
    return [
      {
        problem: "other_request",
        message: `This is another attempt: its timestamp is ${shorten(timestamp)}, and that of this one is ${sentAt}. Choose the attempt of that time.`,
      },
    ];
  const problems = [...explainHeaders(received, headerPrefix)];
  for (const [name, value] of Object.entries(sent)) {
    if (value === hiddenHeaderValue || problems.some(({ message }) => message.startsWith(`${name} `)))
      continue;
    const values = valuesOf(received, name);
    // A link to a delivery shows only the beginning of a signature.
    if (values.some((each) => (value.endsWith("…") ? each.startsWith(value.slice(0, -1)) : each === value)))
      continue;
    const [found] = values;
    if (found !== undefined)
      problems.push({
        problem: "header_changed",
        message: `${name} was sent as ${quoted(value)} and arrived as ${quoted(found)}. ${ofProxies.has(name.toLowerCase()) ? "A proxy may do that, and the signature does not depend on it." : "A proxy or a framework changed it."}`,
      });
    else if (!ofProxies.has(name.toLowerCase()))
      problems.push({
        problem: "missing_header",
        message: `${name} is missing. A proxy or a framework removed it.`,
      });
  }
  return problems;
}

/** Characters around a difference. */
const shownBefore = 24;
const shownAfter = 32;

/** Undefined: they are equal. */
function findDifference(sent: Uint8Array, received: Uint8Array): BodyDifference | undefined {
  const shorter = Math.min(sent.length, received.length);
  let offset = 0;
  while (offset < shorter && sent[offset] === received[offset]) offset++;
  if (offset === sent.length && offset === received.length) return undefined;
  // A character is shown whole.
  let start = offset;
  while (start > 0 && offset - start < 3 && ((sent[start] ?? 0) & 0xc0) === 0x80) start--;
  const before = decode(sent.subarray(0, start));
  return {
    offset,
    line: before.split("\n").length,
    column: Array.from(before.slice(before.lastIndexOf("\n") + 1)).length + 1,
    before: show(Array.from(before).slice(-shownBefore)),
    sent: show(Array.from(decode(sent.subarray(start, start + shownAfter * 4))).slice(0, shownAfter)),
    received: show(Array.from(decode(received.subarray(start, start + shownAfter * 4))).slice(0, shownAfter)),
  };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Makes visible what a browser does not show. */
function show(characters: readonly string[]): string {
  return characters.join("").replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x24_00 + code);
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

function explainBody(sent: Uint8Array, received: Uint8Array, text: string): string {
  if (received.length === 0) return "No body was received. Something read it before, or it was never read.";
  const isTooLong = received.length > longestVariant(sent.length);
  for (const { body, description, advice } of isTooLong ? [] : listBodyVariants(received, sent.length))
    if (startsWith(body, sent))
      return `The bodies are equal if the received one is taken ${description}. ${advice}`;
  if (startsWith(sent, received))
    return `The received body ends after ${received.length} of ${sent.length} bytes: it was cut off. Look for a limit of size or time, or for a body that was read only in part.`;
  if (startsWith(received, sent))
    return `The received body has ${countBytes(received.length - sent.length)} at its end.`;
  if (isTooLong)
    return `No usual change explains it: ${received.length} bytes were received, and ${sent.length} were sent.`;
  const [ofSent, ofReceived] = [parseBody(text), parseBody(decode(received).replace(/^\ufeff/u, ""))];
  if (ofSent === undefined || ofReceived === undefined)
    return "No usual change explains it: what was received is not the JSON that was sent.";
  const place = findChange(ofSent, ofReceived, "");
  if (place !== undefined) return `${place} Something changed the content.`;
  return JSON.stringify(ofSent) === JSON.stringify(ofReceived)
    ? "Both have the same values, but numbers or characters are written in another way. The body was parsed and serialised again. Verify the raw bytes, before a body parser reads them."
    : "Both have the same values, but the keys are in another order. The body was parsed and serialised again. Verify the raw bytes, before a body parser reads them.";
}

function countBytes(count: number): string {
  return count === 1 ? "1 more byte" : `${count} more bytes`;
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, index) => bytes[index] === byte);
}

/** A sentence about the first value that differs. Undefined: all are equal, in any order of keys. */
function findChange(sent: unknown, received: unknown, path: string): string | undefined {
  if (isObject(sent) && isObject(received) && Array.isArray(sent) === Array.isArray(received)) {
    const [one, other] = [new Map(Object.entries(sent)), new Map(Object.entries(received))];
    for (const name of new Set([...one.keys(), ...other.keys()])) {
      const inner = path === "" ? name : `${path}.${name}`;
      if (!other.has(name)) return `${shorten(inner)} is missing.`;
      if (!one.has(name)) return `${shorten(inner)} was not sent.`;
      const change = findChange(one.get(name), other.get(name), inner);
      if (change !== undefined) return change;
    }
    return undefined;
  }
  if (sent === received) return undefined;
  return `${path === "" ? "The body" : shorten(path)} was sent as ${cut(sent)} and arrived as ${cut(received)}.`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const longestValue = 40;

function cut(value: unknown): string {
  return shorten(JSON.stringify(value), longestValue);
}
