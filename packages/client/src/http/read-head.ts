import { toExcerpt } from "./redact.ts";
import type { Redact } from "./redact.ts";

/** Status and headers of a response. They are valid even if the body is incomplete. */
export interface Head {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

const maxRequestId = 200;

export function readHead({ status, headers }: Response, now: () => number, redact: Redact): Head {
  const requestId = headers.get("x-request-id");
  return {
    status,
    requestId: requestId === null ? undefined : toExcerpt(redact(requestId), maxRequestId),
    retryAfterSeconds: parseRetryAfter(headers.get("retry-after"), now),
  };
}

/** IMF-fixdate and the two obsolete formats of RFC 9110, section 5.6.7. The last one has no time zone. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
];
const zonelessDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Parses a `Retry-After` header (RFC 9110, section 10.2.3) to seconds: a number, or a date, as proxies may
 * send. A past date is 0. Returns `undefined` if it is neither.
 */
function parseRetryAfter(header: string | null, now: () => number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  // A number with hundreds of digits becomes Infinity.
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now()) / 1_000));
}

/** Checks the format first, because `Date.parse` reads "1.5" and "soon 5" as dates. */
function parseHttpDate(text: string): number {
  if (zonelessDate.test(text)) return Date.parse(`${text} GMT`);
  return httpDates.some((shape) => shape.test(text)) ? Date.parse(text) : Number.NaN;
}
