import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { answeredText } from "../text.ts";
import { timeZoneSchema } from "../time-zone.ts";
import { eventNameField } from "./webhook.ts";

/** The body of a delivery. `data` is described by the `dataSchema` of the event. */
export const deliveryBodySchema = z
  .object({
    id: answeredText({
      description: "`<event>_<record_id>`. Use it to ignore duplicates.",
      example: "order.created_ord_1001",
    }),
    event: eventNameField,
    project: z
      .object({
        id: hostIdSchema,
        name: answeredText({ description: "Name of the site.", example: "Main street shop" }),
        timezone: timeZoneSchema,
      })
      .meta({ description: "The site of the event." }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: "The record in its state at the time of sending." }),
  })
  .meta({ description: "The body of a delivery." });

export const eventTypeSchema = z
  .object({
    event: eventNameField,
    name: answeredText({ description: "Display name.", example: "New order" }),
    description: answeredText({ description: "When it is sent.", example: "An order is placed." }),
    sample: deliveryBodySchema.meta({ description: "A complete delivery body. It never changes." }),
  })
  .meta({ description: "An event that a webhook can subscribe to." });

const eventFieldSchema = z.object({
  path: answeredText({ description: "Where it is in `data`.", example: "items[].price" }),
  type: answeredText({ description: "The type of its values, in words.", example: "text or null" }),
  required: z.boolean().meta({ description: "Whether every delivery has it." }),
  description: z.string().nullable().meta({ description: "What it means.", example: "Unit price." }),
  values: z
    .array(z.unknown())
    .meta({ description: "The only values that it may have. Empty if there are others." }),
  example: z
    .unknown()
    .meta({ description: "A value as in a delivery. Null if none is known.", example: 4.5 }),
});

/** An event with the fields of its data, for people. */
export const describedEventTypeSchema = eventTypeSchema
  .extend({
    fields: z.array(eventFieldSchema).meta({ description: "The fields of `data`, optional ones too." }),
  })
  .meta({ description: "An event that a webhook can subscribe to, with its fields." });
