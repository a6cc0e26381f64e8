import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { count, timeOrNull } from "./fields.ts";
import { ledgerOutcomes } from "./ledger.ts";
import { consoleWebhookSchema, maximumWaiting } from "./webhook.ts";

/** A webhook of any account, as the host sees it. */
export const hostWebhookSchema = consoleWebhookSchema
  .extend({
    account_id: hostIdSchema,
    waiting: z.int().min(0).max(maximumWaiting).meta({
      description:
        "Deliveries that wait for their first or next attempt, counted up to 10,000: then there are at least so many.",
      example: 12,
    }),
    oldest_due_at: timeOrNull("Since when the oldest of them that is due has been due. Null: none is due."),
  })
  .meta({ description: "A webhook, with its account." });
export type HostWebhook = z.output<typeof hostWebhookSchema>;

/** `GET /host/v1/stats`. */
export const hostStatsSchema = z
  .object({
    accounts: count("All accounts."),
    webhooks: z
      .object({
        active: count("Webhooks that send."),
        paused: count("Webhooks that a person paused."),
        switched_off: count("Webhooks that failed too often."),
        disabled_by_host: count("Webhooks that the operator disabled."),
      })
      .meta({ description: "Webhooks of all accounts, by status." }),
    deliveries: z
      .object({
        pending: count("Deliveries that wait for their first or next attempt, counted up to 100,000."),
        oldest_due_seconds: z.int().min(0).nullable().meta({
          description:
            "How long the oldest delivery that is due has been due, in seconds. Null: none is due.",
          example: 2,
        }),
      })
      .meta({ description: "Deliveries of all accounts." }),
  })
  .extend({
    events: ledgerOutcomes(
      "What became of the events of all accounts in the last 24 hours. It is up to 15 s old.",
    ),
  })
  .meta({ description: "Numbers over all accounts." });
export type HostStats = z.output<typeof hostStatsSchema>;
