import { defaultHeaderPrefix, nameSignedHeaders } from "./signed-headers.ts";

/** A header that the owner of a webhook adds to its deliveries. */
export interface CustomHeader {
  readonly name: string;
  readonly value: string;
}

export type CustomHeaders =
  | { readonly ok: true; readonly headers: readonly CustomHeader[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What the log has in place of the value of such a header. */
export const hiddenHeaderValue = "(not stored)";

export const maximumCustomHeaders = 10;
/** Of names and values together. */
export const maximumCustomHeaderBytes = 4_096;

/** A token (RFC 9110, section 5.6.2). */
const namePattern = /^[\w!#$%&'*+.^`|~-]{1,128}$/u;
/** Visible ASCII, and blanks and tabs inside (RFC 9110, section 5.5). Line breaks would begin another header. */
const valuePattern = /^[\x21-\x7E](?:[\t\x20-\x7E]*[\x21-\x7E])?$/u;

/** Headers that Hookwright sets, that frame a message (RFC 9112), or that belong to one connection. */
const reservedNames: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  // CGI programs read it as the proxy of their own requests (httpoxy).
  "proxy",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);
const reservedPrefixes = ["webhook-", "proxy-"] as const;

/**
 * Checks the owner's own headers of a webhook (contract: Webhooks): at most 10, 4 KiB together, no header that Hookwright or the
 * framing of HTTP sets. Problems name headers and never show values, which are secrets.
 *
 * @param headerPrefix that of the server. @default "X-Service"
 * @example readCustomHeaders({ Authorization: "Basic Zm9v" }) // { ok: true, headers: [{ name: "Authorization", value: "Basic Zm9v" }] }
 * @example readCustomHeaders({ Host: "a" }) // { ok: false, problems: ["headers.Host: is set by the sender"] }
 */
export function readCustomHeaders(
  fields: Readonly<Record<string, unknown>>,
  headerPrefix?: string,
): CustomHeaders {
  const problems: string[] = [];
  const headers: CustomHeader[] = [];
  const known = new Set<string>();
  for (const [name, value] of Object.entries(fields)) {
    const problem = problemOf(name, value, known, headerPrefix);
    known.add(toKey(name));
    if (problem !== undefined) problems.push(problem);
    else if (typeof value === "string") headers.push({ name, value });
  }
  if (known.size > maximumCustomHeaders || Object.keys(fields).length > maximumCustomHeaders)
    problems.push(`headers: must have at most ${maximumCustomHeaders} entries`);
  const bytes = headers.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  if (bytes > maximumCustomHeaderBytes)
    problems.push(
      `headers: must have at most ${maximumCustomHeaderBytes} bytes of names and values together`,
    );
  return problems.length === 0 ? { ok: true, headers } : { ok: false, problems };
}

/** Whether Hookwright sets a header itself, or the framing of HTTP does. */
export function isReservedHeader(name: string, headerPrefix = defaultHeaderPrefix): boolean {
  const key = toKey(name);
  return (
    reservedNames.has(key) ||
    reservedPrefixes.some((prefix) => key.startsWith(prefix)) ||
    // Of a prefix of the host, such as `X`, only those that are set.
    (headerPrefix === defaultHeaderPrefix
      ? key.startsWith(toKey(`${defaultHeaderPrefix}-`))
      : Object.values(nameSignedHeaders(headerPrefix)).some((each) => toKey(each) === key))
  );
}

function problemOf(
  name: string,
  value: unknown,
  known: ReadonlySet<string>,
  headerPrefix: string | undefined,
): string | undefined {
  if (!namePattern.test(name)) {
    return "headers: a name must be 1 to 128 letters, digits and the characters !#$%&'*+-.^_`|~";
  }
  const key = toKey(name);
  if (isReservedHeader(name, headerPrefix)) return `headers.${name}: is set by the sender`;
  if (known.has(key))
    return `headers.${name}: is there twice, because receivers may compare only letters and digits, in any case`;
  if (typeof value !== "string") return `headers.${name}: must be text`;
  if (!valuePattern.test(value))
    return `headers.${name}: must be visible ASCII characters, with blanks only between them`;
  return undefined;
}

/**
 * CGI, WSGI and PHP pass headers as variables: in upper case, and with `_` for other characters. `X_Service_Signature` and
 * `X-Service-Signature` are then the same.
 */
function toKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/gu, "-");
}
