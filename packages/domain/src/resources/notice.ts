import { z } from "zod";
import { answeredNullableText, answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";

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
    "`webhook.failing`: six attempts in a row have failed. `webhook.switched_off`: thirty. `webhook.removed`: the endpoint answered 410. `webhook.recovered`: the first acceptance after `webhook.failing`. `delivery.failed`: deliveries that are not retried any more, grouped by webhook. `key.expiring`: an API key ends within seven days.",
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
        "Deliveries to https://example.com/hooks (wh_1) have failed 30 times in a row, so the webhook was disabled. The last failure: The endpoint answered 500.",
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
