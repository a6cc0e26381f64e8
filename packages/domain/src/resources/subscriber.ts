import { z } from "zod";
import { emailSchema } from "../email-address.ts";
import { subscriberRecordSchema } from "../events/subscriber.ts";
import { hostIdSchema } from "../ids.ts";
import { tagList, text } from "../text.ts";
import { listReference, projectReference } from "./fields.ts";

/** The record of section 2.11 with its site and lists. */
export const subscriberSchema = subscriberRecordSchema
  .extend({
    project_id: hostIdSchema,
    list_ids: z
      .array(hostIdSchema)
      .meta({ description: "The lists that this person has joined.", example: ["list_1"] }),
  })
  .meta({ description: "A person who joined a site's email list." });
export type Subscriber = z.output<typeof subscriberSchema>;

const name = text({ max: 200, description: "Name.", example: "Ada Lovelace" });

/** `POST /v1/subscribers`. */
export const subscriberInputSchema = z
  .object({
    project_id: projectReference,
    email: emailSchema,
    name: name.optional(),
    tags: tagList("Tags to add.").optional(),
    list_id: listReference.optional(),
  })
  .meta({ description: "The person to subscribe. They are subscribed at once, without confirmation." });
export type SubscriberInputBody = z.output<typeof subscriberInputSchema>;

/** `PUT /host/v1/projects/{id}/subscribers/{email}`: omitted fields stay. */
export const hostSubscriberInputSchema = z
  .object({
    status: z
      .enum(["active", "unsubscribed"])
      .meta({ description: "Whether mail may be sent.", example: "active" }),
    name,
    tags: tagList("Tags to add."),
  })
  .partial()
  .meta({ description: "Omitted fields stay unchanged." });
export type HostSubscriberInput = z.output<typeof hostSubscriberInputSchema>;

export const suppressionReasonSchema = z
  .enum(["bounced", "complained"])
  .meta({ description: "Why no mail is sent to the address.", example: "bounced" });

/** `PUT /host/v1/suppressions/{email}`. */
export const suppressionInputSchema = z
  .object({ reason: suppressionReasonSchema })
  .meta({ description: "Why no mail is sent to the address." });
export type SuppressionInput = z.output<typeof suppressionInputSchema>;
