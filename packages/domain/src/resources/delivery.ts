import { z } from "zod";
import { bodyStates } from "../kept-bodies.ts";
import { attemptErrors } from "../attempt-errors.ts";
import type { AttemptError } from "../attempt-errors.ts";
import type { DeliveryState } from "../delivery-state.ts";
import type { EventName } from "../events/event-names.ts";
import { answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { timeOrNull } from "./fields.ts";
import type { ListenerResult } from "./listener.ts";

export const cancelReasons = [
  "paused",
  "switched_off",
  "webhook_removed",
  "record_deleted",
  "account_unavailable",
] as const;

export const deliveryKinds = ["event", "resend", "test"] as const;

/** One delivery of one record to one webhook. */
export interface Delivery {
  /** The value of `X-Service-Delivery`. */
  readonly id: string;
  readonly webhook_id: string;
  readonly target_url: string;
  readonly event: EventName | (string & {});
  readonly record_id: string;
  /** The `id` in the body. */
  readonly body_id: string;
  readonly project_id: string;
  /** The reason for the delivery. */
  readonly kind: (typeof deliveryKinds)[number];
  readonly status: DeliveryState;
  readonly attempts_made: number;
  /** Null if there is none. */
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  /** Null while it is pending. */
  readonly completed_at: string | null;
  /** Null for others, and for those that an earlier version cancelled. */
  readonly cancel_reason: (typeof cancelReasons)[number] | null;
  /** The delivery that this one sends again. Null for others, and for resends by an earlier version. */
  readonly resent_from: string | null;
  /** The status of the response to the newest attempt. Null without an attempt or a response. */
  readonly last_status: number | null;
  /** Why the newest attempt failed. Null without an attempt, or if it was accepted. */
  readonly last_error: AttemptError | null;
  /** Milliseconds of the newest attempt. Null without an attempt. */
  readonly last_duration_ms: number | null;
}

const headers = z.record(z.string(), z.string());

function phase(description: string, example: number | null) {
  return z.number().min(0).nullable().meta({ description, example });
}

const attemptPhasesSchema = z
  .object({
    queued_ms: phase("In our queue, from when it was due to the start.", 3),
    dns_ms: phase("Until the name was resolved.", null),
    connect_ms: phase("Until the connection was open, through the proxy if there is one.", null),
    tls_ms: phase("Until the end of the TLS handshake.", null),
    wait_ms: phase("From the request to the first byte of the response.", 45.2),
    read_ms: phase("From the first byte to the end of the response, at most its first 4 KiB.", 2.8),
  })
  .meta({
    description:
      "Where the time went, in milliseconds. Null: the attempt did not come so far, had no such phase, or was made by a version that did not store it. A phase in which the attempt failed holds the time until then. Without `queued_ms`, their sum is `duration_ms`.",
  });
export type AttemptPhases = z.output<typeof attemptPhasesSchema>;

export const attemptSchema = z
  .object({
    id: answeredText({
      description: "Id of the attempt.",
      example: "att_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    number: z.int().min(1).meta({ description: "1 for the first attempt.", example: 1 }),
    started_at: timestampSchema.meta({ example: "2026-11-20T09:30:00.123Z" }),
    duration_ms: z
      .number()
      .min(0)
      .meta({ description: "Milliseconds from start to end, with the response's body.", example: 48 }),
    phases: attemptPhasesSchema,
    reused: z
      .boolean()
      .meta({ description: "Whether the connection of an earlier attempt was used.", example: true }),
    request: z
      .object({
        headers: headers.meta({
          description: "Headers that were sent.",
          example: { "X-Service-Event": "order.created" },
        }),
        body: z.string().nullable().meta({
          description: "The exact body that was sent. Null if `body_state` is not `kept`.",
          example: '{"id":"order.created_ord_1001","event":"order.created"}',
        }),
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
        "The beginning of the response body. Null without a response, and if `body_state` is not `kept`. At most 2 KiB are stored. A truncated text ends with `…`.",
      example: "ok",
    }),
    body_state: z.enum(bodyStates).meta({
      description:
        "Whether the bodies of the request and of the response are in the log. `not_kept`: the account keeps none, see its retention. `erased`: the data of a person was erased.",
      example: "kept",
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
    summary: z.string().meta({
      description:
        "Whose time it took and what came of it, in a sentence, with the first line of a response that refuses.",
      example: "Your endpoint took 48 ms and answered 500: `vat_id` of undefined",
    }),
    next_attempt_at: timeOrNull(
      "When the next attempt is due. Null if there is none.",
      "2026-11-20T09:30:15.123Z",
    ),
  })
  .meta({ description: "One attempt of a delivery, with the response of the endpoint." });
export type Attempt = z.output<typeof attemptSchema>;

/** A delivery as a row of an export. The phases are those of its newest attempt. */
export type ExportedDelivery = Delivery & {
  readonly [Name in keyof AttemptPhases as `last_${Name}`]: AttemptPhases[Name];
} & {
  /** What came of the newest attempt, in a sentence. Null without an attempt. */
  readonly last_result: string | null;
};

/** A delivery with all its attempts. */
export interface DeliveryDetail extends Delivery {
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** Ids of the deliveries that sent this one again, oldest first. The next 1,000 deliveries of the record are searched. */
  readonly resends: readonly string[];
  /** What listeners did with the same event: results of the last hour, at most 20. */
  readonly listener_results: readonly ListenerResult[];
}

/** A delivery of the same event as another one. */
export interface RelatedDelivery extends Delivery {
  /** Null: the webhook has no name, or is removed. */
  readonly webhook_name: string | null;
}

/** The number of deliveries of each status. 10,000 means that or more. */
export type DeliveryCounts = Readonly<Record<"all" | DeliveryState, number>>;
