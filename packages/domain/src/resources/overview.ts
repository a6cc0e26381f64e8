import { z } from "zod";
import { timestampSchema } from "../timestamps.ts";
import { consoleWebhookSchema, webhookIdField } from "./webhook.ts";

/** The periods of the overview, and their steps in seconds. */
export const overviewPeriods = {
  "1h": { stepSeconds: 60, steps: 60 },
  "24h": { stepSeconds: 900, steps: 96 },
  "7d": { stepSeconds: 3_600, steps: 168 },
  "30d": { stepSeconds: 21_600, steps: 120 },
} as const;
export type OverviewPeriod = keyof typeof overviewPeriods;

const countOf = (description: string) => z.int().min(0).meta({ description, example: 12 });
const delivered = countOf("Deliveries that the endpoint accepted.");
const failed = countOf("Deliveries that failed after their last attempt.");
const percentile = (share: string) =>
  z
    .number()
    .nullable()
    .meta({
      description: `The duration that ${share} of the attempts did not exceed, in milliseconds, at most 30 % too high. Null without an attempt.`,
      example: 50,
    });
const median = percentile("half");
const ninetyFifth = percentile("95 %");
const successRate = z.number().min(0).max(1).nullable().meta({
  description: "Delivered deliveries, divided by those delivered or failed: 0 to 1. Null if there were none.",
  example: 0.98,
});

export const overviewSchema = z
  .object({
    period: z.enum(["1h", "24h", "7d", "30d"]).meta({ description: "The period.", example: "24h" }),
    step_seconds: z.int().meta({ description: "The length of a bucket in seconds.", example: 900 }),
    series: z
      .array(
        z
          .object({
            at: timestampSchema.meta({
              description: "When the bucket begins.",
              example: "2026-11-20T09:30:00Z",
            }),
            delivered,
            failed,
            cancelled: countOf("Deliveries that were cancelled."),
            attempts: countOf("Attempts that ended."),
            p50_ms: median,
            p95_ms: ninetyFifth,
          })
          .meta({ description: "What ended in one bucket." }),
      )
      .meta({
        description:
          "All buckets, oldest first. Resends are counted, tests are not. The last one is not over.",
      }),
    totals: z
      .object({
        delivered,
        failed,
        cancelled: countOf("Deliveries that were cancelled."),
        pending: countOf("Deliveries that are pending now, counted up to 10,000."),
        success_rate: successRate,
        p50_ms: median,
        p95_ms: ninetyFifth,
      })
      .meta({ description: "The sums over the period." }),
    attention: z
      .array(
        z
          .object({
            kind: z
              .enum(["webhook_switched_off", "webhook_failing", "webhook_paused", "rotation_waiting"])
              .meta({
                description:
                  "`webhook_failing`: more than 20 % of at least ten attempts in the last hour failed. `rotation_waiting`: a new signing secret waits for more than 24 hours.",
                example: "webhook_switched_off",
              }),
            webhook_id: webhookIdField,
            message: z.string().meta({
              description: "What is wrong and what to do, in sentences.",
              example: "The webhook was disabled. Turn it on when its endpoint works.",
            }),
            since: timestampSchema
              .nullable()
              .meta({ description: "Since when. Null: unknown.", example: "2026-11-20T09:30:00Z" }),
          })
          .meta({ description: "Something that the owner should look at." }),
      )
      .meta({ description: "Webhooks that need attention, by kind. Empty if all is well." }),
  })
  .meta({ description: "What happened to the deliveries of an account, or of one webhook." });
export type Overview = z.output<typeof overviewSchema>;
export type Attention = Overview["attention"][number];

/** The last 24 hours of one webhook. */
export const webhookHealthSchema = z
  .object({
    success_rate: successRate,
    p95_ms: ninetyFifth,
    strip: z
      .array(
        z
          .object({
            at: timestampSchema.meta({
              description: "When the hour begins.",
              example: "2026-11-20T09:00:00Z",
            }),
            delivered,
            failed,
          })
          .meta({ description: "One hour." }),
      )
      .meta({ description: "24 hours, oldest first. The last one is not over." }),
  })
  .meta({ description: "The last 24 hours of the webhook." });
export type WebhookHealth = z.output<typeof webhookHealthSchema>;

/** A webhook in the list of the console. */
export const listedConsoleWebhookSchema = consoleWebhookSchema
  .extend({
    health: webhookHealthSchema
      .optional()
      .meta({ description: "The last 24 hours. Only with `include=health`." }),
  })
  .meta({ description: "A webhook in the list of the console." });
export type ListedConsoleWebhook = z.output<typeof listedConsoleWebhookSchema>;
