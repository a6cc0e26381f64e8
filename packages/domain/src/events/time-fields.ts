import { readHostTime } from "../read-time.ts";
import { toWallTime } from "../time-zone.ts";
import { readWireForm, timestampSchema, toTimestamp } from "../timestamps.ts";
import { adjust } from "./field.ts";
import type { Described, Field, Reading } from "./field.ts";
import { toPlain } from "./plain-value.ts";
import type { TextInput } from "./plain-value.ts";
import { text } from "./text-fields.ts";

/** ISO 8601, epoch seconds or milliseconds, or a `Date`. Times without a zone are in the site's zone. */
export type TimeInput = string | number | Date;

/** Longer texts are not parsed. */
const longestTime = 64;

/** Returns the site's local time of a date and time with a zone. */
function toWallText(text: string, reading: Reading): string | undefined {
  const time = /[T ].*(?:Z|[+-]\d\d:?\d\d)(?:\[|$)/iu.test(text)
    ? readHostTime(text, reading.timeZone)
    : undefined;
  if (time === undefined) return undefined;
  reading.isLocalTime = true;
  return new Date(toWallTime(time.ms, reading.timeZone)).toISOString();
}

/** A local date or time that a customer chose. Unknown formats stay unchanged. */
function localText(
  described: Described<string>,
  { type, format }: { readonly type: string; readonly format: (text: string) => string | undefined },
): Field<string, TextInput, false> {
  const plain = text(described);
  return {
    ...plain,
    type,
    read(value, path, reading, siblings) {
      const read = plain.read(value, path, reading, siblings);
      const trimmed = read.trim();
      if (trimmed === "" || trimmed.length > longestTime) return read;
      const formatted = format(toWallText(trimmed, reading) ?? trimmed) ?? read;
      if (formatted !== read) adjust(reading, path);
      return formatted;
    },
  };
}

/** A local date that a customer chose. */
export function localDate(): Field<string, TextInput, false> {
  const described = { description: "`YYYY-MM-DD`, in the site's local time.", example: "2026-11-28" };
  return localText(described, { type: "date `YYYY-MM-DD`", format: toLocalDate });
}

function toLocalDate(text: string): string | undefined {
  const match = /^(\d{4})([-/.]?)(\d\d)\2(\d\d)(?:[T ].*)?$/u.exec(text);
  if (match === null) return undefined;
  const [, year, , month, day] = match;
  return `${year}-${month}-${day}`;
}

/** A local time of day that a customer chose. */
export function localTime(): Field<string, TextInput, false> {
  const described = { description: "`HH:MM`, in the site's local time.", example: "14:30" };
  return localText(described, { type: "time `HH:MM`", format: toLocalTime });
}

function toLocalTime(text: string): string | undefined {
  const ofDay = text.replace(/^\d{4}-\d\d-\d\d[T ]/u, "");
  const match = /^(\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?)?(?:Z| ?([ap])\.?m\.?)?$/iu.exec(ofDay);
  if (match === null) return undefined;
  const [, hour, minute, half] = match;
  const isAfternoon = half?.toLowerCase() === "p";
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  return hours > 23 || Number(minute) > 59 ? undefined : `${String(hours).padStart(2, "0")}:${minute}`;
}

/** The time at which the record was created. */
export function createdAt(): Field<string, TimeInput, false> {
  return {
    schema: timestampSchema,
    type: "timestamp",
    required: false,
    whenMissing: "the current time",
    read(value, path, reading) {
      const wire = typeof value === "string" ? readWireForm(value) : undefined;
      if (typeof value === "string" && wire !== undefined) {
        reading.createdAt = wire;
        reading.hasCreatedAt = true;
        return value;
      }
      const time = readHostTime(value instanceof Date ? value : toPlain(value), reading.timeZone);
      reading.createdAt = time?.ms ?? reading.now;
      reading.hasCreatedAt = time !== undefined;
      if (time?.isLocal === true) reading.isLocalTime = true;
      if (!(value instanceof Date && time !== undefined)) adjust(reading, path);
      return toTimestamp(reading.createdAt);
    },
  };
}
