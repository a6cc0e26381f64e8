import { z } from "zod";
import { text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";

export const requestLogEntrySchema = z
  .object({
    id: text({
      max: 128,
      description: "Value of `X-Request-Id`.",
      example: "req_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    method: text({ max: 16, description: "HTTP method.", example: "GET" }),
    path: text({ max: 2_048, description: "Path of the request.", example: "/v1/orders" }),
    status: z.int().meta({ description: "HTTP status of the response.", example: 200 }),
    error_code: text({ max: 64, description: "Error code.", example: "validation_failed" })
      .nullable()
      .meta({ description: "Error code of the response. Null for a success." }),
    key_name: text({ max: 200, description: "Name of the API key.", example: "Zapier" }),
    duration_ms: z.number().min(0).meta({ description: "Milliseconds until the response.", example: 3 }),
    created_at: timestampSchema,
  })
  .meta({ description: "A recent request with an API key." });
export type RequestLogEntry = z.output<typeof requestLogEntrySchema>;
