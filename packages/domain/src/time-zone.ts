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

/** Every name that is made today begins with one of these areas. */
const namedByArea =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)(?:\/[A-Z][\w+-]*)+$/;
/** The names from before there were areas; no new ones are made. */
const namedWithoutArea: ReadonlySet<string> = new Set(
  `CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel
  Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT
  UTC Universal W-SU WET Zulu`.split(/\s+/),
);

/**
 * Whether a text is an IANA time zone name. `Intl` also takes offsets (`+01:00`), abbreviations (`PST`) and names in the
 * wrong case (`europe/paris`); all are refused, because receivers in other languages would fail on them.
 */
export function isTimeZone(name: string): boolean {
  // Of a link, such as `asia/kolkata`, `Intl` tells the zone that it leads to, and nothing about its case: the form has to
  // do, which leaves capitals in the midst of a link's name (`US/PACIFIC`) unseen.
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

const dayMs = 86_400_000;

/**
 * The time at which the clocks of a time zone show a wall time. In the hour that clocks show twice it is the first of the two; a
 * time in the hour that they skip is moved forward by that hour, as `Temporal` and RFC 5545 do.
 *
 * @param wallMs what the clocks show, as if it were UTC, in milliseconds
 * @throws RangeError for a name that is no time zone.
 */
export function toInstant(wallMs: number, timeZone: string): number {
  const before = wallMs - offsetMs(wallMs - dayMs, timeZone);
  const after = wallMs - offsetMs(wallMs + dayMs, timeZone);
  const isShown = (ms: number): boolean => ms + offsetMs(ms, timeZone) === wallMs;
  return isShown(before) || !isShown(after) ? before : after;
}

/** What the clocks of a time zone show at a time, as if it were UTC, in milliseconds. The inverse of {@link toInstant}. */
export function toWallTime(ms: number, timeZone: string): number {
  return ms + offsetMs(ms, timeZone);
}

/** How far the clocks of a time zone are ahead of UTC, in milliseconds. */
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
