import { z } from "zod";
import { eventReference, projectReference } from "./fields.ts";

/** `POST /host/v1/events`. `readEvent` parses `data`. */
export const publishInputSchema = z
  .object({
    event: eventReference,
    project_id: projectReference,
    data: z
      .unknown()
      .refine(isObject, { error: ({ input }) => (input === undefined ? "is required" : "must be an object") })
      .meta({ description: "The record: section 2 of the specification.", type: "object" }),
    as_of: z
      .unknown()
      .optional()
      .meta({ description: "When `data` was read. An older snapshot never replaces a newer one." }),
  })
  .meta({ description: "An event of a site." });
export type PublishInputBody = z.output<typeof publishInputSchema>;

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
