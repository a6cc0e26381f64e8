import { z } from "zod";

// Building a formatter takes some 30 µs. Names come from clients, so the cache is emptied when it grows past the
// number of zones there are (about 600 with links).
const formatters = new Map<string, Intl.DateTimeFormat>();
const cacheLimit = 1_000;

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone);
  if (cached !== undefined) return cached;
  const made = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
    timeZone,
    year: "numeric",
    month: "2-digit",
  });
  if (formatters.size >= cacheLimit) formatters.clear();
  formatters.set(timeZone, made);
  return made;
}

/**
 * Whether a text is an IANA time zone name. `Intl` also takes offsets (`+01:00`) and names in the wrong case
 * (`europe/paris`); both are refused, because receivers in other languages would fail on them.
 */
export function isTimeZone(name: string): boolean {
  if (formatters.has(name)) return true;
  if (name.length > 64 || !/^[A-Za-z]/.test(name)) return false;
  try {
    const resolved = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    if (resolved !== name && resolved.toLowerCase() === name.toLowerCase()) return false;
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The calendar month that a time falls in, as the clocks of a time zone show it: `"2026-11"`.
 *
 * @throws RangeError for a name that is no time zone.
 */
export function calendarMonth(ms: number, timeZone: string): string {
  let year = "";
  let month = "";
  for (const part of formatterOf(timeZone).formatToParts(ms)) {
    if (part.type === "year") year = part.value;
    if (part.type === "month") month = part.value;
  }
  return `${year.padStart(4, "0")}-${month}`;
}

/** An IANA time zone name. */
export const timeZoneSchema = z
  .string()
  .refine(isTimeZone, "must be an IANA time zone name, such as Europe/London")
  .meta({ description: "IANA time zone name.", example: "Europe/London", maxLength: 64 });
