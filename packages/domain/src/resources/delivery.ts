import { z } from "zod";
import { deliveryStates } from "../delivery-state.ts";
import { hostIdSchema, recordIdSchema } from "../ids.ts";
import { answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { listenerResultSchema } from "./listener.ts";
import { keptEventNameField, targetUrlField, webhookIdField } from "./webhook.ts";

export const attemptErrors = [
  "timeout",
  "dns",
  "blocked_address",
  "connect",
  "tls",
  "reset",
  "protocol",
  "status",
] as const;
/** Why an attempt failed. `status` means that the response was not a 2xx. */
export type AttemptError = (typeof attemptErrors)[number];

const nextAttemptAt = timestampSchema.nullable().meta({
  description: "When the next attempt is due. Null if there is none.",
  example: "2026-11-20T09:30:15Z",
});

export const deliverySchema = z
  .object({
    id: answeredText({
      description: "Id of the delivery: the value of `X-Service-Delivery`.",
      example: "dlv_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    webhook_id: webhookIdField,
    target_url: targetUrlField,
    event: keptEventNameField,
    record_id: recordIdSchema,
    body_id: answeredText({ description: "The `id` in the body.", example: "order.created_ord_1001" }),
    project_id: hostIdSchema,
    kind: z
      .enum(["event", "resend", "test"])
      .meta({ description: "The reason for the delivery.", example: "event" }),
    status: z.enum(deliveryStates).meta({ description: "The state of the delivery.", example: "delivered" }),
    attempts_made: z.int().min(0).meta({ description: "Attempts so far.", example: 1 }),
    next_attempt_at: nextAttemptAt,
    created_at: timestampSchema,
    completed_at: timestampSchema.nullable().meta({
      description: "When the delivery ended. Null while it is pending.",
      example: "2026-11-20T09:30:01Z",
    }),
    cancel_reason: z
      .enum(["paused", "switched_off", "webhook_removed", "record_deleted", "account_unavailable"])
      .nullable()
      .meta({
        description:
          "Why the delivery was cancelled. Null for others, and for those that an earlier version cancelled.",
        example: null,
      }),
    resent_from: z.string().nullable().meta({
      description:
        "The delivery that this one sends again. Null for others, and for resends by an earlier version.",
      example: null,
    }),
    last_status: z.int().nullable().meta({
      description: "The status of the response to the newest attempt. Null without an attempt or a response.",
      example: 200,
    }),
    last_error: z.enum(attemptErrors).nullable().meta({
      description: "Why the newest attempt failed. Null without an attempt, or if it was accepted.",
      example: null,
    }),
    last_duration_ms: z.number().min(0).nullable().meta({
      description: "Milliseconds of the newest attempt. Null without an attempt.",
      example: 48,
    }),
  })
  .meta({ description: "One delivery of one record to one webhook." });
export type Delivery = z.output<typeof deliverySchema>;

const headers = z.record(z.string(), z.string());

export const attemptSchema = z
  .object({
    id: answeredText({
      description: "Id of the attempt.",
      example: "att_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    number: z.int().min(1).meta({ description: "1 for the first attempt.", example: 1 }),
    started_at: timestampSchema,
    duration_ms: z.number().min(0).meta({ description: "Milliseconds from start to end.", example: 48 }),
    request: z
      .object({
        headers: headers.meta({
          description: "Headers that were sent.",
          example: { "X-Service-Event": "order.created" },
        }),
        body: z.string().meta({ description: "The exact body that was sent." }),
      })
      .meta({ description: "The request." }),
    status: z
      .int()
      .nullable()
      .meta({ description: "The status of the response. Null without a response.", example: 200 }),
    headers: headers.nullable().meta({
      description:
        "The headers of the response. Null without a response. At most 32 headers and 2 KiB of names and values are stored. If there are more, names and values over 256 bytes are truncated and end with `…`, and the header `…` contains the number of omitted headers.",
      example: { "content-type": "text/plain" },
    }),
    excerpt: z.string().nullable().meta({
      description:
        "The beginning of the response body. Null without a response. At most 2 KiB are stored. A truncated text ends with `…`.",
      example: "ok",
    }),
    error: z
      .enum(attemptErrors)
      .nullable()
      .meta({ description: "Why the attempt failed. Null if it was accepted.", example: "timeout" }),
    detail: z.string().nullable().meta({
      description:
        "The reason in words, at most 300 characters. An accepted attempt has one only if something about the response was unusual.",
      example: "No response within 10 s (connected after 120 ms, waiting for the response headers).",
    }),
    next_attempt_at: nextAttemptAt,
  })
  .meta({ description: "One attempt of a delivery, with the response of the endpoint." });
export type Attempt = z.output<typeof attemptSchema>;

export const deliveryDetailSchema = deliverySchema
  .extend({
    attempts: z.array(attemptSchema).meta({ description: "All attempts, oldest first." }),
    resends: z.array(z.string()).meta({
      description:
        "Ids of the deliveries that sent this one again, oldest first. The next 1,000 deliveries of the record are searched.",
      example: ["dlv_019a9c4d11207a4e9c3f5b2e7c41a0f3"],
    }),
    listener_results: z.array(listenerResultSchema).meta({
      description:
        "What listeners did with the same event: results that they reported in the last hour, at most 20.",
    }),
  })
  .meta({ description: "A delivery with all its attempts." });
export type DeliveryDetail = z.output<typeof deliveryDetailSchema>;

const counted = (description: string) => z.int().min(0).max(10_000).meta({ description, example: 12 });

export const deliveryCountsSchema = z
  .object({
    all: counted("All deliveries under the filters."),
    delivered: counted("Those that were accepted."),
    pending: counted("Those that wait for an attempt."),
    failed: counted("Those that failed."),
    cancelled: counted("Those that were cancelled."),
  })
  .meta({ description: "The number of deliveries of each status. 10,000 means that or more." });
export type DeliveryCounts = z.output<typeof deliveryCountsSchema>;
