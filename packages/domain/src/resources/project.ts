import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { text } from "../text.ts";
import { timeZoneSchema } from "../time-zone.ts";
import { timestampSchema } from "../timestamps.ts";

const projectName = text({ max: 200, description: "Name of the site.", example: "Main street shop" });

export const projectSchema = z
  .object({ id: hostIdSchema, name: projectName, timezone: timeZoneSchema, created_at: timestampSchema })
  .meta({ description: "A site. Its `id` is the `project_id` of other calls." });
export type Project = z.output<typeof projectSchema>;

/** `PUT /host/v1/projects/{id}`: omitted fields stay. */
export const projectInputSchema = z
  .object({ account_id: hostIdSchema, name: projectName, timezone: timeZoneSchema })
  .partial()
  .meta({ description: "Omitted fields stay unchanged." });
export type ProjectInput = z.output<typeof projectInputSchema>;
