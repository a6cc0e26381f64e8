import { hiddenHeaderValue } from "../custom-headers.ts";
import type { SentRequest } from "./compare-received.ts";

/** The headers of a request to send again, with a placeholder for each value that is not stored. */
function headersToSend(headers: SentRequest["headers"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value === hiddenHeaderValue ? "<VALUE>" : value]),
  );
}

/**
 * A command for a POSIX shell that sends the request of an attempt again, byte by byte.
 *
 * @example toCurl("https://example.com/hook", { headers: { "Content-Type": "application/json" }, body: "{}" })
 * // curl 'https://example.com/hook' \\
 * //   -H 'Content-Type: application/json' \\
 * //   --data-binary '{}'
 */
export function toCurl(targetUrl: string, { headers, body }: SentRequest): string {
  const lines = Object.entries(headersToSend(headers)).map(
    ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
  );
  return [`curl ${quote(targetUrl)}`, ...lines, `--data-binary ${quoteBody(body)}`].join(" \\\n  ");
}

/** Controls, and marks of direction: a terminal acts on them, or shows the text in another order. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const invisible = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A shell prints the bytes of what cannot be written visibly, so that the body stays the one that was signed. */
function quoteBody(body: string): string {
  if (body.search(invisible) === -1) return quote(body);
  const visible = body.replaceAll("\\", "\\\\").replaceAll(invisible, toOctal);
  return `"$(printf %b ${quote(visible)})"`;
}

function toOctal(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text));
  return bytes.map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
}

/** In single quotes a shell changes nothing. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A JavaScript call that sends the request again, for the console of a browser or for Node. */
export function toFetch(url: string, { headers, body }: SentRequest): string {
  const options = { method: "POST", headers: headersToSend(headers), body };
  return `await fetch(${JSON.stringify(url)}, ${JSON.stringify(options, null, 2)});`;
}
