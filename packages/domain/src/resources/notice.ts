import { z } from "zod";
import { deliveryStates } from "../delivery-state.ts";
import { answeredNullableText, answeredText, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { count, timeOrNull } from "./fields.ts";

/** What somebody is told about by itself. */
export const noticeKinds = [
  "webhook.failing",
  "webhook.switched_off",
  "webhook.removed",
  "webhook.recovered",
  "delivery.failed",
  "key.expiring",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const noticeKindSchema = z.enum(noticeKinds).meta({
  description:
    "`webhook.failing`: six attempts in a row have failed. `webhook.switched_off`: thirty, or as many as an option says. `webhook.removed`: the endpoint answered 410. `webhook.recovered`: the first acceptance after `webhook.failing`. `delivery.failed`: deliveries that are not retried any more, grouped by webhook. `key.expiring`: an API key ends within seven days.",
  example: "webhook.switched_off",
});

export const noticeSchema = z
  .object({
    id: answeredText({
      description: "Id of the notice. It is the same whenever the notice is repeated.",
      example: "ntc_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    kind: noticeKindSchema,
    account_id: answeredText({ description: "The account.", example: "acc_1" }),
    created_at: timestampSchema,
    message: answeredText({
      description: "What happened, in sentences.",
      example:
        "Deliveries to https://example.com/hooks (wh_1) have failed 30 times in a row, so the webhook was disabled.",
    }),
    webhook: z
      .object({
        id: answeredText({ description: "Id of the webhook.", example: "wh_1" }),
        target_url: answeredText({ description: "Its URL.", example: "https://example.com/hooks" }),
        events: z.array(z.string()).meta({ description: "Its events.", example: ["order.created"] }),
      })
      .nullable()
      .meta({ description: "The webhook. Null for `key.expiring`." }),
    last_failure: answeredNullableText({
      description: "Why the last attempt failed. Null if none did.",
      example: "The endpoint answered 500.",
    }),
    deliveries: z
      .object({
        count: z.int().min(1).meta({ description: "How many have finally failed.", example: 12 }),
        first_at: timestampSchema,
        last_at: timestampSchema,
        last_id: answeredText({ description: "Id of the last one.", example: "dlv_1" }),
      })
      .nullable()
      .meta({ description: "The deliveries of `delivery.failed`. Otherwise null." }),
    key: z
      .object({
        id: answeredText({ description: "Id of the API key.", example: "key_1" }),
        name: answeredText({ description: "Its name.", example: "Zapier" }),
        expires_at: timestampSchema,
      })
      .nullable()
      .meta({ description: "The API key of `key.expiring`. Otherwise null." }),
  })
  .meta({ description: "Something that happened by itself." });
export type Notice = z.output<typeof noticeSchema>;

const kindsInput = z
  .array(noticeKindSchema)
  .min(1)
  .max(noticeKinds.length)
  .meta({ description: "Which notices. Default: all.", example: ["webhook.switched_off"] });

/** `PUT /host/v1/notice-endpoint`. */
export const noticeEndpointInputSchema = z
  .object({
    url: text({
      max: 2_048,
      description: "Where notices are sent. The same rules as for a webhook.",
      example: "https://example.com/notices",
    }).optional(),
    kinds: kindsInput.optional(),
  })
  .meta({
    description: "The URL of the operator that gets notices of all accounts. What is left out stays.",
  });
export type NoticeEndpointInput = z.output<typeof noticeEndpointInputSchema>;

export const noticeEndpointSchema = z
  .object({
    url: answeredText({ description: "Where notices are sent.", example: "https://example.com/notices" }),
    kinds: z.array(noticeKindSchema).meta({ description: "Which notices." }),
  })
  .meta({ description: "The URL of the operator that gets notices of all accounts." });

/** `GET /host/v1/notice-endpoint`. */
export const shownNoticeEndpointSchema = noticeEndpointSchema
  .extend({
    status: z.enum(["active", "removed"]).meta({
      description: "`removed`: it answered 410, so it gets no more notices. `PUT` it again.",
      example: "active",
    }),
  })
  .meta({ description: "The URL, and whether it still gets notices." });
export type NoticeEndpoint = z.output<typeof shownNoticeEndpointSchema>;

export const putNoticeEndpointSchema = noticeEndpointSchema
  .extend({
    signing_secret: z.string().optional().meta({
      description: "Signs the notices. Only in the response that creates it.",
      example: "whsec_k3J0",
    }),
    standard_signing_secret: z.string().optional().meta({
      description: "With the headers of Standard Webhooks: the same secret in their form.",
      example: "whsec_azNKMA==",
    }),
  })
  .meta({ description: "The URL, and its secret if it is new." });
export type PutNoticeEndpoint = z.output<typeof putNoticeEndpointSchema>;

/** A notice for the operator, and what became of its delivery. */
export const sentNoticeSchema = noticeSchema
  .extend({
    delivery_id: answeredText({ description: "The value of `X-Service-Delivery`.", example: "dlv_1" }),
    target_url: answeredText({ description: "Where it is sent.", example: "https://example.com/notices" }),
    status: z
      .enum(deliveryStates)
      .meta({ description: "`pending` while it is retried.", example: "delivered" }),
    attempts_made: count("Attempts so far."),
    last_status: z
      .int()
      .nullable()
      .meta({ description: "The HTTP status of the last one, or null.", example: 204 }),
    last_error: answeredNullableText({ description: "Its class of error, or null.", example: "timeout" }),
    next_attempt_at: timeOrNull("The next attempt, or null."),
  })
  .meta({ description: "A notice, and what became of its delivery." });
export type SentNotice = z.output<typeof sentNoticeSchema>;

/** `POST /console/api/notice-targets`. */
export const noticeTargetInputSchema = z
  .object({
    type: z.enum(["email", "webhook", "chat"]).meta({
      description:
        "`webhook`: a signed POST. `chat`: a message in the form that Slack, Microsoft Teams, Discord or Google Chat accepts.",
      example: "email",
    }),
    to: text({ max: 2_048, description: "An e-mail address or a URL.", example: "ops@example.com" }),
    kinds: kindsInput.optional(),
  })
  .meta({ description: "Somebody to tell." });

/** `PATCH /console/api/notice-targets/{id}`. */
export const noticeTargetChangesSchema = z
  .object({ kinds: kindsInput })
  .meta({ description: "What changes." });

/** Somebody whom an account wants to be told. */
export interface NoticeTarget {
  /** `account`: the e-mail address of the account, which is a target until it is removed. */
  readonly id: string;
  readonly type: "email" | "webhook" | "chat";
  readonly to: string;
  readonly kinds: readonly NoticeKind[];
  /** `unconfirmed`: it gets nothing until somebody opens the link that was mailed to the address. `removed`: the URL answered 410. */
  readonly status: "active" | "unconfirmed" | "removed";
  /** Null for `account`. */
  readonly created_at: string | null;
}

export interface CreatedNoticeTarget extends NoticeTarget {
  /** Only of a `webhook`, and only in this response. */
  readonly signing_secret?: string;
  readonly standard_signing_secret?: string;
}

/** What a link in a mail confirms or stops. */
export interface NoticeStop {
  readonly account_name: string;
  readonly to: string;
}
