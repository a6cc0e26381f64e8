import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { answeredText } from "../text.ts";
import { timeZoneSchema } from "../time-zone.ts";
import { eventNameField } from "./webhook.ts";

/** The body of a delivery. `data` is described by the `dataSchema` of the event. */
export const deliveryBodySchema = z
  .object({
    id: answeredText({
      description:
        "`<event>_<record_id>`. It is the same in every attempt and resend. Use it to ignore duplicates.",
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
