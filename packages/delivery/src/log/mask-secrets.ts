import type { CustomHeader } from "@hookwright/domain";
import type { HeaderList } from "../transport/answer.ts";

/** Shorter texts also occur in responses that do not echo them. */
const shortestPart = 6;
/** A match begins with this many characters, and goes on as far as the texts agree. So a secret that is cut off is found, in linear time. */
const prefixLength = 12;
/** Of a secret in which the text ends. */
const shortestAtEnd = 4;
const hidden = "(hidden)";

/** The pattern of generated signing secrets. They are not among the parts of a webhook without own headers. */
const signingSecret = /whsec_[\w+/=-]{8,}/gu;

/**
 * What of the owner's own headers must not be shown: the values without their scheme (`Basic`, `Bearer`), and of Basic credentials also
 * the decoded text and the password.
 *
 * @example toSecretParts([{ name: "Authorization", value: "Basic dXNlcjpwYXNzd29yZA==" }]) // ["dXNlcjpwYXNzd29yZA==", "user:password", "password"]
 */
export function toSecretParts(headers: readonly CustomHeader[]): readonly string[] {
  const parts = headers.flatMap(({ value }) => {
    const [, scheme, token] = /^(?<scheme>[A-Za-z]+) +(?<token>\S+)$/u.exec(value) ?? [];
    if (token === undefined) return [value];
    if (scheme?.toLowerCase() !== "basic") return [token];
    const credentials = Buffer.from(token, "base64").toString();
    return [token, credentials, credentials.slice(credentials.indexOf(":") + 1)];
  });
  return [...new Set(parts)].filter((part) => part.length >= shortestPart);
}

/**
 * Replaces secrets in a text of a receiver by `(hidden)`. A secret is also found if it is escaped as in JSON, HTML or a URL, and if the
 * text ends within it.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const masked = secrets.length === 0 ? text : maskKnown(text, secrets);
  return hasSigningSecret(masked) ? masked.replace(signingSecret, `whsec_${hidden}`) : masked;
}

/** {@link maskSecrets} for the values of headers. Without secrets it costs one search. */
export function maskHeaderValues(headers: HeaderList, secrets: readonly string[]): HeaderList {
  if (secrets.length === 0 && !headers.some(hasSigningSecret)) return headers;
  return headers.map((text, at) => (at % 2 === 0 ? text : maskSecrets(text, secrets)));
}

function hasSigningSecret(text: string): boolean {
  return text.includes("whsec_");
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function maskKnown(text: string, secrets: readonly string[]): string {
  // A secret may contain what looks like an escape.
  const masked = hideSpans(text, { plain: text }, secrets);
  return /[%&\\]/u.test(masked) ? hideSpans(masked, unescapeText(masked), secrets) : masked;
}

/** A text with its escapes resolved, and the offset of each of its characters in the text. Without offsets they are equal. */
interface Unescaped {
  readonly plain: string;
  readonly starts?: readonly number[];
}

function hideSpans(text: string, { plain, starts }: Unescaped, secrets: readonly string[]): string {
  const spans = secrets.flatMap((secret) => findSpans(plain, secret));
  if (spans.length === 0) return text;
  const toOffset = (at: number): number => (starts === undefined ? at : (starts[at] ?? text.length));
  let masked = "";
  let shownUntil = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (end <= shownUntil) continue;
    if (start >= shownUntil) masked += text.slice(toOffset(shownUntil), toOffset(start)) + hidden;
    shownUntil = end;
  }
  return masked + text.slice(toOffset(shownUntil));
}

function findSpans(plain: string, secret: string): readonly Span[] {
  const spans: Span[] = [];
  const prefix = secret.slice(0, prefixLength);
  for (let start = plain.indexOf(prefix); start !== -1;) {
    let end = start + prefix.length;
    while (end < plain.length && end - start < secret.length && plain[end] === secret[end - start]) end++;
    spans.push({ start, end });
    start = plain.indexOf(prefix, end);
  }
  const begun = lengthAtEnd(plain, prefix);
  if (begun > 0) spans.push({ start: plain.length - begun, end: plain.length });
  return spans;
}

/** How much of the start of a secret the text ends with. A few characters may also be something else. */
function lengthAtEnd(plain: string, prefix: string): number {
  for (let length = prefix.length - 1; length >= shortestAtEnd; length--)
    if (plain.endsWith(prefix.slice(0, length))) return length;
  return 0;
}

const escaped = /%[0-9a-f]{2}|&(?:amp|lt|gt|quot|apos|#\d{2,3}|#x[0-9a-f]{2});|\\u00[0-9a-f]{2}|\\["\\/]/giu;
const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeText(text: string): Unescaped {
  const starts: number[] = [];
  let plain = "";
  let at = 0;
  const copyUntil = (end: number): void => {
    plain += text.slice(at, end);
    for (; at < end; at++) starts.push(at);
  };
  for (const match of text.matchAll(escaped)) {
    copyUntil(match.index);
    starts.push(at);
    plain += unescapeOne(match[0]);
    at += match[0].length;
  }
  copyUntil(text.length);
  return { plain, starts };
}

function unescapeOne(escape: string): string {
  const lower = escape.toLowerCase();
  if (lower.startsWith("%")) return fromHex(lower.slice(1));
  if (lower.startsWith("\\u")) return fromHex(lower.slice(4));
  if (lower.startsWith("\\")) return lower.slice(1);
  if (lower.startsWith("&#x")) return fromHex(lower.slice(3, -1));
  if (lower.startsWith("&#")) return String.fromCharCode(Number(lower.slice(2, -1)));
  return named[lower.slice(1, -1)] ?? escape;
}

function fromHex(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}
