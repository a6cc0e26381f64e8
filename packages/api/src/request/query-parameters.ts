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

/** The filters of the ledger. */
export const ledgerQuery = z.object({
  since: filter(
    "Only events that were published at this time or later, at most 31 days ago. Default: 24 hours before `until`.",
    "2026-11-20T09:30:00Z",
  ),
  until: filter("Only events that were published before this time. Default: now.", "2026-11-20T11:30:00Z"),
  step: filter(
    "The length of a step in seconds: whole minutes, 60 to 86,400. A step that is too short for the age or the length of the time is lengthened. There are at most 1,000 steps. Default: at most 200 steps.",
    "900",
  ),
  webhook_id: filter("Only events for this webhook.", "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
  project_id: filter("Only events of this site.", "site_1"),
  event: filter("Only events with this name.", "order.created"),
  by: filter("`webhook`: also the totals of each webhook.", "webhook"),
});
