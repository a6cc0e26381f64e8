import { z } from "zod";
import { timestampSchema } from "../timestamps.ts";

const counted = (description: string) => z.int().min(0).max(10_000).meta({ description, example: 12 });

const classes = {
  ok: counted("Those with a status from 200 to 299."),
  client_error: counted("Those with a status from 400 to 499."),
  server_error: counted("Those with a status from 500 to 599."),
};

export const requestCountsSchema = z
  .object({
    all: counted("All requests under the filters."),
    ...classes,
    rate_limited: counted("Those with the status 429. They are client errors too."),
    step_seconds: z
      .int()
      .optional()
      .meta({ description: "The length of a bucket in seconds. Only with `period`.", example: 900 }),
    series: z
      .array(
        z
          .object({
            at: timestampSchema.meta({
              description: "When the bucket begins.",
              example: "2026-11-20T09:30:00Z",
            }),
            ...classes,
          })
          .meta({ description: "The requests of one bucket." }),
      )
      .optional()
      .meta({
        description: "All buckets of the period, oldest first. The last one is not over. Only with `period`.",
      }),
  })
  .meta({ description: "The number of requests of each class of statuses, of the newest 10,000." });
export type RequestCounts = z.output<typeof requestCountsSchema>;
export type RequestBucket = NonNullable<RequestCounts["series"]>[number];
