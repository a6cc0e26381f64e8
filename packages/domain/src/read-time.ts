import { isCalendarDate, isOnTheWire } from "./timestamps.ts";
import { toInstant } from "./time-zone.ts";

/** A time as a host keeps it. */
export interface HostTime {
  /** Milliseconds since 1970. */
  readonly ms: number;
  /** Whether the text named no zone, so that the site's time zone decided. */
  readonly isLocal: boolean;
}

/** `2026-11-20T09:30:00.123+01:00`, with a blank for `T`, slashes, without separators, with or without time and zone. */
const isoLike =
  /^(\d{4})([-/]?)(\d\d)\2(\d\d)(?:(?:[T ]| +)(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,18}))?)?)?(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?$/i;

/** What mails, HTTP headers and `Date.prototype.toString` write: it names its zone, so every engine reads it alike. */
const wordyWithZone =
  /^(?:[a-z]{3},? )?[a-z0-9 ]{5,12} (?:\d{4} )?\d\d:\d\d(?::\d\d)? (?:GMT|UTC|Z|[+-]\d{4}|GMT[+-]\d{4})(?: \([^()]{1,60}\))?$/i;

/** Longer texts are no times. */
const longestTime = 64;

/** Numbers below these are seconds, milliseconds and microseconds since 1970; from the last one on they are nanoseconds. */
const leastMilliseconds = 1e11;
const leastMicroseconds = 1e14;
const leastNanoseconds = 1e17;

/**
 * Reads a time in any usual form (contract §7): ISO 8601 with or without zone, a blank for `T`, a date alone, `24:00:00`, a leap
 * second, epoch seconds or milliseconds, a `Date`. Undefined for everything else.
 *
 * @param timeZone IANA name of the zone in which a text without a zone is read
 * @example readHostTime("2026-11-20 10:30:00", "Europe/Paris") // { ms: Date.UTC(2026, 10, 20, 9, 30), isLocal: true }
 */
export function readHostTime(value: unknown, timeZone: string): HostTime | undefined {
  if (value instanceof Date) return inRange(value.getTime(), false);
  if (typeof value === "number" || typeof value === "bigint") return readHostTime(String(value), timeZone);
  if (typeof value !== "string") return undefined;
  // Java and Temporal name the zone behind the offset.
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
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999. An hour 24 and a second 60 run over into the next.
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

/** Milliseconds that a zone is ahead of UTC. */
function readOffset(zone: string): number | undefined {
  if (!/^[+-]/u.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(":", "") || "0")];
  if (hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (zone.startsWith("-") ? -60_000 : 60_000);
}

function inRange(ms: number, isLocal: boolean): HostTime | undefined {
  return isOnTheWire(ms) ? { ms, isLocal } : undefined;
}
