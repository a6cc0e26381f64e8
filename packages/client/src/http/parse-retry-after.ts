/** IMF-fixdate and the two obsolete forms of RFC 9110, section 5.6.7: the last of them names no zone. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
];
const zonelessDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Seconds from a `Retry-After` header (RFC 9110, section 10.2.3): a number, as the API sends it, or a date, as proxies may;
 * 0 for a date that is over. Undefined where it is neither.
 */
export function parseRetryAfter(header: string | null, now: () => number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  // Hundreds of digits are no number that arithmetic can use.
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now()) / 1_000));
}

/** By its shape first: `Date.parse` alone reads "1.5" and "soon 5" as months. */
function parseHttpDate(text: string): number {
  if (zonelessDate.test(text)) return Date.parse(`${text} GMT`);
  return httpDates.some((shape) => shape.test(text)) ? Date.parse(text) : Number.NaN;
}
