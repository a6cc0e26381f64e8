import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { tidyTags } from "../tags.ts";
import { timestampSchema, toTimestamp } from "../timestamps.ts";

const mustBeTime = "must be a Date, or text such as 2026-11-20T09:30:00Z";

/** A time in a database: a `Date`, or text that `timestampSchema` accepts. */
export const keptTimeSchema = z
  .union([z.date().refine(isOnTheWire, mustBeTime), timestampSchema], mustBeTime)
  .transform((time) => (typeof time === "string" ? time : toTimestamp(time.getTime())));

/** Returns whether the wire format can represent it, which has four digits for the year. */
function isOnTheWire(time: Date): boolean {
  return /^\d{4}-/u.test(time.toISOString());
}

/** An id in a database: text, or a number that is converted to text. */
export const keptIdSchema = z
  .union([z.string(), z.int(), z.bigint()], "must be text or an integer")
  .transform(String)
  .pipe(hostIdSchema);

/** Optional text. Null, omitted and blank text all become null. */
export function keptText(schema: z.ZodString) {
  return schema
    .nullish()
    .transform((text) =>
      text === undefined || text === null || text.trim() === "" ? null : text.toWellFormed(),
    );
}

export const keptTagsSchema = z
  .array(z.string())
  .nullish()
  .transform((tags) => tidyTags(tags ?? []));
