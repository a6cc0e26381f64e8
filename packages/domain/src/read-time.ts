import { isCalendarDate, isOnTheWire } from "./timestamps.ts";
import { toInstant } from "./time-zone.ts";

/** A time that a host sent. */
export interface HostTime {
  /** Milliseconds since 1970. */
  readonly ms: number;
  /** Whether the text had no zone and was read in the site's zone. */
  readonly isLocal: boolean;
}

/**
 * `2026-11-20T09:30:00.123+01:00`, also with a space for `T`, with slashes, without separators, and without
 * time or zone.
 */
const isoLike =
  /^(\d{4})([-/]?)(\d\d)\2(\d\d)(?:(?:[T ]| +)(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,18}))?)?)?(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?$/i;

/**
 * The format of mails, HTTP headers and `Date.prototype.toString`. It contains a zone, so all engines parse
 * it alike.
 */
const wordyWithZone =
  /^(?:[a-z]{3},? )?[a-z0-9 ]{5,12} (?:\d{4} )?\d\d:\d\d(?::\d\d)? (?:GMT|UTC|Z|[+-]\d{4}|GMT[+-]\d{4})(?: \([^()]{1,60}\))?$/i;

/** Longer texts are not parsed. */
const longestTime = 64;

/**
 * Smaller numbers are seconds, milliseconds and microseconds since 1970. Numbers from the last one are
 * nanoseconds.
 */
const leastMilliseconds = 1e11;
const leastMicroseconds = 1e14;
const leastNanoseconds = 1e17;

/**
 * Parses a time in any common format (contract: Records): ISO 8601 with or without a zone, a space for `T`, a date
 * only, `24:00:00`, a leap second, epoch seconds or milliseconds, a `Date`. Returns `undefined` for anything
 * else.
 *
 * @param timeZone IANA name of the zone for texts without a zone
 * @example readHostTime("2026-11-20 10:30:00", "Europe/Paris")
 */
export function readHostTime(value: unknown, timeZone: string): HostTime | undefined {
  if (value instanceof Date) return inRange(value.getTime(), false);
  if (typeof value === "number" || typeof value === "bigint") return readHostTime(String(value), timeZone);
  if (typeof value !== "string") return undefined;
  // Java and Temporal add the zone name after the offset.
  const text = value.trim().replace(/\[[\w/+-]{1,32}\]$/u, "");
  if (text.length > longestTime) return undefined;
  const compact = /^(\d{8})(\d{6})$/u.exec(text);
  const match = isoLike.exec(compact === null ? text : `${compact[1]}T${compact[2]}`);
  const read = match === null ? undefined : readIsoLike(match, timeZone);
  if (read !== undefined) return read;
  if (/^-?\d{9,}(?:\.\d+)?$/u.test(text)) return readEpoch(Number(text));
  return wordyWithZone.test(text) ? inRange(Date.parse(text), false) : undefined;
}

function readEpoch(value: number): HostTime | undefined {
  const size = Math.abs(value);
  if (size < leastMilliseconds) return inRange(Math.floor(value * 1_000), false);
  const unit = size < leastMicroseconds ? 1 : size < leastNanoseconds ? 1_000 : 1_000_000;
  return inRange(Math.floor(value / unit), false);
}

function readIsoLike(match: RegExpExecArray, timeZone: string): HostTime | undefined {
  const [, year, , month, day, hour = "00", minute = "00", second = "00", fraction = "", zone] = match;
  if (!isCalendarDate(Number(year), Number(month), Number(day))) return undefined;
  const isMidnightAtEnd = hour === "24" && Number(minute) === 0 && Number(second) === 0;
  if ((Number(hour) > 23 && !isMidnightAtEnd) || Number(minute) > 59 || Number(second) > 60) return undefined;
  // Not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999. Hour 24 and second 60 carry over.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const wall = date.setUTCHours(
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.slice(0, 3).padEnd(3, "0")),
  );
  if (zone === undefined) return inRange(toInstant(wall, timeZone), true);
  const offset = readOffset(zone);
  return offset === undefined ? undefined : inRange(wall - offset, false);
}

/** Returns the offset of a zone from UTC in milliseconds. */
function readOffset(zone: string): number | undefined {
  if (!/^[+-]/u.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(":", "") || "0")];
  if (hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (zone.startsWith("-") ? -60_000 : 60_000);
}

function inRange(ms: number, isLocal: boolean): HostTime | undefined {
  return isOnTheWire(ms) ? { ms, isLocal } : undefined;
}
