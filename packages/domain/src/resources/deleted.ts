import { z } from "zod";
import { text } from "../text.ts";

/** The response to a DELETE. */
export const deletedSchema = z
  .object({
    id: text({
      max: 128,
      description: "Id of the removed object.",
      example: "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    deleted: z.literal(true).meta({ description: "Always true.", example: true }),
  })
  .meta({ description: "The removed object." });
export type Deleted = z.output<typeof deletedSchema>;
