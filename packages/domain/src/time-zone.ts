import { z } from "zod";

// Creating a formatter is slow. Names come from clients, so the cache is cleared when it exceeds the number
// of zones (about 600 with links).
const formatters = new Map<string, Intl.DateTimeFormat>();
const cacheLimit = 1_000;

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone);
  if (cached !== undefined) return cached;
  const made = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
    timeZone,
    era: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  if (formatters.size >= cacheLimit) formatters.clear();
  formatters.set(timeZone, made);
  return made;
}

/** Current names begin with one of these areas. */
const namedByArea =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)(?:\/[A-Z][\w+-]*)+$/;
/** Old names without an area. */
const namedWithoutArea: ReadonlySet<string> = new Set(
  `CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel
  Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT
  UTC Universal W-SU WET Zulu`.split(/\s+/),
);

/**
 * Returns whether a text is an IANA time zone name. `Intl` also accepts offsets (`+01:00`), abbreviations
 * (`PST`) and wrong case (`europe/paris`). These are rejected, because receivers in other languages would not
 * accept them.
 */
export function isTimeZone(name: string): boolean {
  // For a link, such as `asia/kolkata`, `Intl` returns its target, so wrong case is only detected by the
  // pattern. `US/PACIFIC` is accepted.
  if (name.length > 64 || !(namedByArea.test(name) || namedWithoutArea.has(name))) return false;
  if (formatters.has(name)) return true;
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
 * Returns the calendar month of a time in a time zone: `"2026-11"`.
 *
 * @throws RangeError if the time zone is unknown
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

const dayMs = 86_400_000;

/**
 * Converts a local time of a time zone to a UTC time. An ambiguous local time is the earlier one. A skipped
 * local time moves forward by the gap, as in `Temporal` and RFC 5545.
 *
 * @param wallMs the local time as if it were UTC, in milliseconds
 * @throws RangeError if the time zone is unknown
 */
export function toInstant(wallMs: number, timeZone: string): number {
  const before = wallMs - offsetMs(wallMs - dayMs, timeZone);
  const after = wallMs - offsetMs(wallMs + dayMs, timeZone);
  const isShown = (ms: number): boolean => ms + offsetMs(ms, timeZone) === wallMs;
  return isShown(before) || !isShown(after) ? before : after;
}

/**
 * Returns the local time of a time zone as if it were UTC, in milliseconds. The inverse of {@link toInstant}.
 */
export function toWallTime(ms: number, timeZone: string): number {
  return ms + offsetMs(ms, timeZone);
}

/** Returns the offset of a time zone from UTC in milliseconds. */
function offsetMs(ms: number, timeZone: string): number {
  const parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  let isBeforeChrist = false;
  for (const { type, value } of formatterOf(timeZone).formatToParts(ms)) {
    if (type === "era") isBeforeChrist = value.startsWith("B");
    else if (isPartOf(parts, type)) parts[type] = Number(value);
  }
  const date = new Date(0);
  date.setUTCFullYear(isBeforeChrist ? 1 - parts.year : parts.year, parts.month - 1, parts.day);
  const wall = date.setUTCHours(parts.hour, parts.minute, parts.second);
  return wall - Math.floor(ms / 1_000) * 1_000;
}

function isPartOf<Parts extends object>(parts: Parts, name: PropertyKey): name is keyof Parts {
  return Object.hasOwn(parts, name);
}

/** An IANA time zone name. */
export const timeZoneSchema = z
  .string()
  .refine(isTimeZone, "must be an IANA time zone name, such as Europe/London")
  .meta({ description: "IANA time zone name.", example: "Europe/London", maxLength: 64 });
