import { z } from "zod";
import { answeredText } from "../text.ts";
import { eventReference, projectReference } from "./fields.ts";

/** `POST /host/v1/events`. `readEvent` parses `data`. */
export const publishInputSchema = z
  .object({
    event: eventReference,
    project_id: projectReference,
    id: z
      .unknown()
      .optional()
      .meta({
        description:
          "The id of the event, for an event of your own that happens more than once for a record: 1 to 128 printable characters without white space. The body has `<event>_<id>`. The same id again sends nothing.",
        type: ["string", "integer", "null"],
        example: "evt_8371",
      }),
    data: z
      .unknown()
      .refine(isObject, { error: ({ input }) => (input === undefined ? "is required" : "must be an object") })
      .meta({ description: "The record: section 2 of the specification.", type: "object" }),
    as_of: z.unknown().optional().meta({
      description: "When `data` was read. An older snapshot never replaces a newer one.",
      example: "2026-11-20T09:30:00Z",
    }),
  })
  .meta({ description: "An event of a site." });
export type PublishInputBody = z.output<typeof publishInputSchema>;

const paths = (description: string, example: readonly string[]) =>
  z.array(z.string()).meta({ description, example });

/** The response to an event that was published. */
export const publishedSchema = z
  .object({
    id: answeredText({
      description: "The `id` in the body of its deliveries.",
      example: "order.paid_ord_1001",
    }),
    deliveries: paths("Ids of the deliveries that were created. Empty for a duplicate.", [
      "dlv_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    ]),
    duplicate: z.boolean().meta({
      description: "Whether the same event was published for the record before. Then nothing is sent.",
      example: false,
    }),
    adjusted: paths("Fields of `data` that were filled or changed.", ["customer.email"]),
    dropped: paths("Fields of `data` that are not part of the event.", ["shipping_address.street"]),
  })
  .meta({ description: "An event that was published." });
export type PublishedEvent = z.output<typeof publishedSchema>;

/** One of several events that was refused. The others are published. */
export const refusedEventSchema = z
  .object({
    error: z
      .object({
        code: answeredText({ description: "An error code.", example: "unknown_event" }),
        message: answeredText({ description: "What is wrong.", example: "event: is not a known event." }),
      })
      .meta({ description: "Why it was refused." }),
  })
  .meta({ description: "An event that was refused." });
export type RefusedEvent = z.output<typeof refusedEventSchema>;

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
