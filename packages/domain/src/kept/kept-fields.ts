import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { tidyTags } from "../tags.ts";
import { timestampSchema, toTimestamp } from "../timestamps.ts";

const mustBeTime = "must be a Date, or text such as 2026-11-20T09:30:00Z";

/** A time as a program keeps it: a `Date`, as databases answer, or text in any form that `timestampSchema` reads. */
export const keptTimeSchema = z
  .union([z.date().refine(isOnTheWire, mustBeTime), timestampSchema], mustBeTime)
  .transform((time) => (typeof time === "string" ? time : toTimestamp(time.getTime())));

/** Whether the wire form can hold it: it has four digits for the year. */
function isOnTheWire(time: Date): boolean {
  return /^\d{4}-/u.test(time.toISOString());
}

/** An id as a database has it: text or a number, which is read as its text. */
export const keptIdSchema = z
  .union([z.string(), z.int(), z.bigint()], "must be text or an integer")
  .transform(String)
  .pipe(hostIdSchema);

/** Text that may be unset: null, left out or blank are all null on the wire. */
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
