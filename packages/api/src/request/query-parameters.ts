import { z } from "zod";

/** Never clamped: a client that asks for too much gets an error. */
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
      description: "How many entries are answered at the most.",
      type: "integer",
      minimum: 1,
      maximum,
      default: usual,
      example: usual,
    });
}

const limit = limitUpTo(100, 25);

/** At most 10: a sample is as large as a delivery. */
export const sampleLimit = limitUpTo(10, 10);

const cursor = z
  .string()
  .optional()
  .meta({ description: "`meta.next_cursor` of the page before.", example: "<CURSOR>" });

/** A filter accepts any text. If nothing matches, the list is empty. */
export function filter(description: string, example: string) {
  return z.string().optional().meta({ description, example });
}

export const noQuery = z.object({});

export const pageQuery = z.object({ limit, cursor });

/** A site. Unlike other filters, it must belong to the account. */
export const projectFilter = filter("One of the ids from `GET /v1/projects`.", "site_1");
