import { z } from "zod";
import { eventReference, projectReference } from "./fields.ts";

/** `POST /host/v1/events`: `data` is read by `renderRecord`, once the event is known. */
export const publishInputSchema = z
  .object({
    event: eventReference,
    project_id: projectReference,
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: "The record: section 2 of the specification." }),
  })
  .meta({ description: "Something that happened on a site." });
export type PublishInputBody = z.output<typeof publishInputSchema>;
