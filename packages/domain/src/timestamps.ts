import { z } from "zod";
import { HookwrightError } from "./errors.ts";

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

const mustBeDateTime = "must be an ISO 8601 date-time with Z or an offset, such as 2026-11-20T09:30:00Z";

/**
 * Formats a time in milliseconds as `YYYY-MM-DDTHH:MM:SSZ`. Fractions of a second are dropped.
 *
 * @throws RangeError if the year is not 0000 to 9999
 */
export function toTimestamp(ms: number): string {
  return `${toPreciseTimestamp(ms).slice(0, 19)}Z`;
}

/**
 * Formats a time in milliseconds as `YYYY-MM-DDTHH:MM:SS.mmmZ`, for times that are compared with each other.
 *
 * @throws RangeError if the year is not 0000 to 9999
 */
export function toPreciseTimestamp(ms: number): string {
  const text = new Date(ms).toISOString();
  if (text.length !== 24) throw new RangeError("The year of a timestamp must be 0000 to 9999.");
  return text;
}

/**
 * Parses an ISO 8601 date-time with `Z` or an offset (extended format, optional seconds and fraction) to
 * milliseconds since 1970. Rejects leap seconds and `24:00`, because they cannot be distinguished from the
 * next second.
 *
 * @throws HookwrightError `validation_failed`
 */
export function parseTimestamp(text: string): number {
  const ms = readTimestamp(text);
  if (ms === undefined) throw new HookwrightError("validation_failed", `A timestamp ${mustBeDateTime}.`);
  return ms;
}

function readTimestamp(text: string): number | undefined {
  return readWireForm(text) ?? readDateTime(text);
}

/** Parses a text in the wire format, which nearly all times have. */
export function readWireForm(text: string): number | undefined {
  if (text.length !== 20 || text[4] !== "-" || text[7] !== "-" || text[10] !== "T") return undefined;
  if (text[13] !== ":" || text[16] !== ":" || text[19] !== "Z") return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // `Date.UTC` maps years below 100 to another century. NaN passes none of these checks.
  if (!(year >= 100 && hour <= 23 && minute <= 59 && second <= 59 && isCalendarDate(year, month, day)))
    return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns NaN if one of them is not a digit. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function readDateTime(text: string): number | undefined {
  const match = dateTime.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second = "0",
    fraction = "",
    sign,
    offsetHour = "0",
    offsetMinute = "0",
  ] = match;
  if (!isCalendarDate(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -60_000 : 60_000);
  const date = new Date(0);
  // Not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const ms = date.setUTCHours(Number(hour), Number(minute), Number(second), milliseconds) - offset;
  return isOnTheWire(ms) ? ms : undefined;
}

const earliest = -62_167_219_200_000;
const latest = 253_402_300_799_999;

/** Returns whether the wire format, with four digits for the year, can represent a time. */
export function isOnTheWire(ms: number): boolean {
  return ms >= earliest && ms <= latest;
}

/** Returns whether the year, month (1 to 12) and day exist. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  if (!(month >= 1 && month <= 12 && day >= 1)) return false;
  if (month !== 2) return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
  return day <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28);
}

/**
 * A time on the wire. Accepts every format of `parseTimestamp`. The parsed value is always
 * `YYYY-MM-DDTHH:MM:SSZ`.
 */
export const timestampSchema = z
  .string()
  .check((payload) => {
    if (readWireForm(payload.value) !== undefined) return;
    const ms = readDateTime(payload.value);
    if (ms === undefined)
      payload.issues.push({ code: "custom", message: mustBeDateTime, input: payload.value });
    else payload.value = toTimestamp(ms);
  })
  .meta({ description: "ISO 8601 in UTC.", example: "2026-11-20T09:30:00Z", format: "date-time" });
