/**
 * Seconds from a `Retry-After` header (RFC 9110, section 10.2.3): a number, as the API sends it, or a date, as proxies may.
 * Undefined where it is neither.
 */
export function parseRetryAfter(header: string | null, now: () => number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text);
  // A date names its day; `Date.parse` alone would read "1.5" as a month.
  if (!/^[A-Za-z]{3}/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now()) / 1_000));
}
