import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";

const listName = text({ max: 200, description: "Name of the list.", example: "Newsletter" });

export const emailListSchema = z
  .object({ id: hostIdSchema, project_id: hostIdSchema, name: listName, created_at: timestampSchema })
  .meta({ description: "An email list of a site. Its `id` is a valid `list_id`." });
export type EmailList = z.output<typeof emailListSchema>;

/** `PUT /host/v1/email-lists/{id}`: omitted fields stay. */
export const emailListInputSchema = z
  .object({ project_id: hostIdSchema, name: listName })
  .partial()
  .meta({ description: "Omitted fields stay unchanged." });
export type EmailListInput = z.output<typeof emailListInputSchema>;
