import { z } from "zod";

/** Out-of-range values get an error. They are never clamped. */
function limitUpTo(maximum: number, usual: number) {
  return z
    .string()
    .refine(
      (text) => /^[1-9][0-9]*$/.test(text) && Number(text) <= maximum,
      `must be a whole number from 1 to ${maximum}`,
    )
    .optional()
    .transform((text) => (text === undefined ? usual : Number(text)))
    .meta({
      description: "The maximum number of entries on a page.",
      type: "integer",
      minimum: 1,
      maximum,
      default: usual,
      example: usual,
    });
}

const limit = limitUpTo(100, 25);

/** At most 10, because a sample is as large as a delivery. */
export const sampleLimit = limitUpTo(10, 10);

const cursor = z
  .string()
  .optional()
  .meta({ description: "`meta.next_cursor` of the previous page.", example: "<CURSOR>" });

/** A filter accepts any text. If nothing matches, the list is empty. */
export function filter(description: string, example: string) {
  return z.string().optional().meta({ description, example });
}

export const noQuery = z.object({});

export const pageQuery = z.object({ limit, cursor });

/** A site. Unlike other filters, it must belong to the account. */
export const projectFilter = filter("One of the ids from `GET /v1/projects`.", "site_1");

export const periodParameter = z
  .enum(["1h", "24h", "7d", "30d"], "must be `1h`, `24h`, `7d` or `30d`")
  .meta({ description: "The period that ends now.", example: "24h" });
