import { z } from "zod";

export const rateLimitSchema = z
  .object({
    limit: z.int().nullable().meta({
      description: "Requests to `/v1` in any 60 seconds, over all keys. Null: no limit.",
      example: 200,
    }),
    remaining: z.int().min(0).nullable().meta({ description: "Requests that are left now.", example: 188 }),
    reset_seconds: z.int().min(0).nullable().meta({
      description: "Whole seconds until all requests are left again, without further ones.",
      example: 42,
    }),
  })
  .meta({ description: "The rate limit of the account. Reading it counts as no request." });
export type RateLimit = z.output<typeof rateLimitSchema>;
