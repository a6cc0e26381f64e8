import { z } from "zod";
import { deliveryStates } from "../delivery-state.ts";
import { hostIdSchema, recordIdSchema } from "../ids.ts";
import { answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { eventNameField, targetUrlField, webhookIdField } from "./webhook.ts";

const nextAttemptAt = timestampSchema.nullable().meta({
  description: "When the next try is due; null when there is none.",
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
    event: eventNameField,
    record_id: recordIdSchema,
    body_id: answeredText({ description: "The `id` in the body.", example: "order.created_ord_1001" }),
    project_id: hostIdSchema,
    kind: z.enum(["event", "resend", "test"]).meta({ description: "Why it is sent.", example: "event" }),
    status: z.enum(deliveryStates).meta({ description: "How it stands.", example: "delivered" }),
    attempts_made: z.int().min(0).meta({ description: "Attempts so far.", example: 1 }),
    next_attempt_at: nextAttemptAt,
    created_at: timestampSchema,
    completed_at: timestampSchema
      .nullable()
      .meta({ description: "When it ended; null while it is pending.", example: "2026-11-20T09:30:01Z" }),
  })
  .meta({ description: "One delivery of one record to one webhook." });
export type Delivery = z.output<typeof deliverySchema>;

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
/** Why an attempt failed; `status` means that an answer came and was not a 2xx. */
export type AttemptError = (typeof attemptErrors)[number];

const headers = z.record(z.string(), z.string());

export const attemptSchema = z
  .object({
    id: answeredText({
      description: "Id of the attempt.",
      example: "att_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    number: z.int().min(1).meta({ description: "1 for the first try.", example: 1 }),
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
      .meta({ description: "What was sent." }),
    status: z
      .int()
      .nullable()
      .meta({ description: "The answer's status; null when none came.", example: 200 }),
    headers: headers.nullable().meta({
      description:
        "The answer's headers; null when none came. At most 32 are kept, and 2 KiB of names and values together. If they are longer, names and values over 256 bytes are cut and end with `…`, and the header `…` says how many were left out.",
      example: { "content-type": "text/plain" },
    }),
    excerpt: z.string().nullable().meta({
      description:
        "The start of the answer's body; null when none came. At most 2 KiB are kept; a text that was cut ends with `…`.",
      example: "ok",
    }),
    error: z
      .enum(attemptErrors)
      .nullable()
      .meta({ description: "Why the attempt failed; null when it was accepted.", example: "timeout" }),
    detail: z.string().nullable().meta({
      description:
        "The reason in words, at most 300 characters. An accepted attempt has one only if something about the response was unusual.",
      example: "No response within 10 s (connected after 120 ms, waiting for the response headers).",
    }),
    next_attempt_at: nextAttemptAt,
  })
  .meta({ description: "One try of a delivery, and the endpoint's answer." });
export type Attempt = z.output<typeof attemptSchema>;

export const deliveryDetailSchema = deliverySchema
  .extend({ attempts: z.array(attemptSchema).meta({ description: "Every try, first one first." }) })
  .meta({ description: "A delivery with all its attempts." });
export type DeliveryDetail = z.output<typeof deliveryDetailSchema>;
