import { z } from "zod";
import { hostIdSchema, recordIdSchema } from "../ids.ts";
import { answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { hostAccountSchema } from "./account.ts";
import { attemptErrors } from "../attempt-errors.ts";
import { cancelReasons, deliveryKinds } from "./delivery.ts";
import type { Delivery } from "./delivery.ts";
import { count, timeOrNull } from "./fields.ts";
import { hostWebhookSchema } from "./host-view.ts";
import { deliveryStates } from "../delivery-state.ts";

/** What of a delivery a text names: itself, its record by id, order number or e-mail address, or its webhook. */
export const deliveryMatches = ["id", "record_id", "number", "email", "webhook"] as const;
export type DeliveryMatch = (typeof deliveryMatches)[number];

/** A business record that a search has found. */
export interface FoundRecord {
  readonly id: string;
  readonly kind: string;
  readonly project_id: string;
  /** Of an order. Null for others. */
  readonly number: string | null;
  /** Of its customer or subscriber. Null if it has none. */
  readonly email: string | null;
  readonly created_at: string;
  readonly matched: "id" | "number" | "email";
}

/** What a text names in an account: the newest records and deliveries. */
export interface AccountSearch {
  readonly records: readonly FoundRecord[];
  readonly deliveries: readonly (Delivery & { readonly matched: DeliveryMatch })[];
}

export const longestSearch = 512;

const text = (description: string, example: string) => answeredText({ description, example });

const foundDeliverySchema = z
  .object({
    account_id: hostIdSchema,
    id: text("Id of the delivery.", "dlv_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
    webhook_id: text("The webhook.", "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21"),
    target_url: text("Where it is sent.", "https://example.com/webhooks"),
    event: text("Name of the event.", "order.created"),
    record_id: recordIdSchema,
    body_id: text("The `id` in the body.", "order.created_ord_1001"),
    project_id: hostIdSchema,
    kind: z.enum(deliveryKinds).meta({ description: "The reason for the delivery.", example: "event" }),
    status: z.enum(deliveryStates).meta({ description: "Its status.", example: "delivered" }),
    attempts_made: count("Attempts that were made."),
    next_attempt_at: timeOrNull("When the next attempt is due. Null: there is none.", null),
    created_at: timestampSchema,
    completed_at: timeOrNull("When it was completed. Null while it is pending."),
    cancel_reason: z
      .enum(cancelReasons)
      .nullable()
      .meta({ description: "Why it was cancelled. Null for others.", example: null }),
    resent_from: z
      .string()
      .nullable()
      .meta({ description: "The delivery that this one sends again. Null for others.", example: null }),
    last_status: z.int().nullable().meta({ description: "The status of the newest response.", example: 200 }),
    last_error: z
      .enum(attemptErrors)
      .nullable()
      .meta({ description: "Why the newest attempt failed.", example: null }),
    last_duration_ms: z
      .number()
      .nullable()
      .meta({ description: "Milliseconds of the newest attempt. Null without one.", example: 84.2 }),
    matched: z.enum(deliveryMatches).meta({
      description: "What the text names: the delivery, or its record by this.",
      example: "record_id",
    }),
  })
  .meta({ description: "A delivery, with its account." });

function matchedBy<const Fields extends readonly [string, ...string[]]>(fields: Fields) {
  return z.enum(fields).meta({ description: "What the text is a part of.", example: fields[0] });
}

/** `GET /host/v1/search`. */
export const hostSearchSchema = z
  .object({
    accounts: z
      .array(hostAccountSchema.extend({ matched: matchedBy(["id", "name", "email"]) }))
      .meta({ description: "Accounts with the text in their id, name or e-mail address." }),
    webhooks: z.array(hostWebhookSchema.extend({ matched: matchedBy(["id", "name", "url"]) })).meta({
      description:
        "Webhooks with the text in their id, name or URL, also those that were removed while the operator had disabled them.",
    }),
    deliveries: z.array(foundDeliverySchema).meta({
      description: "The newest five of each account that the text names by itself or by its record.",
    }),
  })
  .meta({ description: "What matches over all accounts." });
export type HostSearch = z.output<typeof hostSearchSchema>;
