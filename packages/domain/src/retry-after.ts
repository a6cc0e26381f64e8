/** IMF-fixdate and the two obsolete formats of RFC 9110, section 5.6.7. The last one has no time zone. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/u,
];
const zonelessDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/u;

/**
 * Returns the milliseconds that a `Retry-After` header asks to wait (RFC 9110, section 10.2.3): a number of seconds, or a
 * date. A past date is 0. Undefined if it is neither.
 *
 * @param now milliseconds of the wall clock
 * @example parseRetryAfter("120", Date.now()) // 120000
 */
export function parseRetryAfter(text: string, now: number): number | undefined {
  const trimmed = text.trim();
  // A number with hundreds of digits becomes Infinity.
  if (/^\d+$/u.test(trimmed)) return Math.min(Number(trimmed) * 1_000, Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(trimmed);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Checks the format first, because `Date.parse` reads "1.5" and "soon 5" as dates. */
function parseHttpDate(text: string): number {
  if (zonelessDate.test(text)) return Date.parse(`${text} GMT`);
  return httpDates.some((shape) => shape.test(text)) ? Date.parse(text) : Number.NaN;
}
