import { z } from "zod";
import { emailSchema } from "../email-address.ts";
import { hostIdSchema } from "../ids.ts";
import { answeredNullableText, answeredText, tagList, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { projectReference } from "./fields.ts";

const name = { max: 200, description: "Name.", example: "Ada Lovelace" };
const phone = { max: 64, description: "Phone number.", example: "+44 20 7946 0000" };
const notes = { max: 20_000, description: "Notes.", example: "Prefers e-mail." };

export const contactSchema = z
  .object({
    id: answeredText({ description: "Id of the contact.", example: "ct_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
    project_id: hostIdSchema,
    email: emailSchema,
    name: answeredNullableText(name),
    phone: answeredNullableText(phone),
    notes: answeredNullableText(notes),
    tags: z
      .array(z.string())
      .meta({ description: "Tags, in the order in which they were added.", example: ["vip"] }),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ description: "A contact of a site. Unset text is null." });
export type Contact = z.output<typeof contactSchema>;

/** `POST /v1/contacts`. */
export const contactInputSchema = z
  .object({
    project_id: projectReference,
    email: emailSchema,
    name: text(name).optional(),
    phone: text(phone).optional(),
    notes: text(notes).optional(),
    tags: tagList("Tags to add. Tags are never removed.").optional(),
  })
  .meta({ description: "The contact to create or update, matched on the e-mail address." });
export type ContactInputBody = z.output<typeof contactInputSchema>;
