import { z } from "zod";
import { answeredNullableText, answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { projectReference } from "./fields.ts";

/** Rejected events are counted up to this number. */
export const maximumRejectedCount = 10_000;

/** `GET /host/v1/outbox`. */
export const outboxCountsSchema = z
  .object({
    rejected: z.int().min(0).nullable().meta({
      description:
        "Rejected events, counted up to 10,000: then there are at least so many. Null: there is no outbox.",
      example: 12,
    }),
  })
  .meta({ description: "What is in the outbox." });
export type OutboxCounts = z.output<typeof outboxCountsSchema>;

const id = answeredText({ description: "Names this rejection.", example: "42-1763631000000000" });

/** An event of the outbox that could not be published. */
export const rejectedEventSchema = z
  .object({
    id,
    outbox_id: answeredText({
      description: "The `id` of its row in the table `outbox`, which log lines name.",
      example: "42",
    }),
    event: answeredText({
      description: "The name of the event, cut to 1,000 characters.",
      example: "order.created",
    }),
    project_id: answeredText({ description: "The site, cut to 1,000 characters.", example: "site_1" }),
    account_id: answeredNullableText({
      description: "The account of the site. Null: there is no such site.",
      example: "acc_1",
    }),
    event_id: answeredNullableText({
      description: "The `event_id` of its row, for an event of your own that happens again.",
      example: "evt_8371",
    }),
    data: z.unknown().meta({
      description:
        "The record, any JSON. Null in the list if it has more than 64 KiB, and null if it has more than 16 MiB: then publish it again with other data.",
      example: { id: "ord_1" },
    }),
    code: answeredText({ description: "Why it was rejected: an error code.", example: "validation_failed" }),
    message: answeredText({
      description: "What is wrong, with the names of the fields.",
      example: "data.total: is required",
    }),
    created_at: timestampSchema.meta({ description: "When it was inserted into the outbox." }),
    rejected_at: timestampSchema.meta({ description: "When it was rejected." }),
  })
  .meta({ description: "An event of the outbox that could not be published." });
export type RejectedEvent = z.output<typeof rejectedEventSchema>;

/** `POST /host/v1/outbox/rejected/{id}/retry`. */
export const rejectedEventRetrySchema = z
  .object({
    project_id: projectReference.optional().meta({
      description: "The right site. By default the site stays.",
      example: "site_1",
    }),
    data: z
      .unknown()
      .optional()
      .meta({
        description: "The whole corrected record. By default the data stays.",
        type: "object",
        example: { id: "ord_1", total: "9.50" },
      }),
  })
  .meta({ description: "A correction of a rejected event." });
export type RejectedEventRetry = z.output<typeof rejectedEventRetrySchema>;

/** A rejected event that is in the outbox again. */
export const retriedEventSchema = z
  .object({
    id,
    retried: z.literal(true).meta({ description: "Always true." }),
    outbox_id: answeredText({
      description:
        "The `id` of its new row in the table `outbox`. If it is rejected again, it is listed with this `outbox_id`.",
      example: "57",
    }),
  })
  .meta({
    description: "The event is in the outbox again, behind those that wait. It is published at once.",
  });
export type RetriedEvent = z.output<typeof retriedEventSchema>;
