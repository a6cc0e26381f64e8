import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { consoleWebhookSchema } from "./webhook.ts";

const count = (description: string) => z.int().min(0).meta({ description, example: 12 });

/** A webhook of any account, as the host sees it. */
export const hostWebhookSchema = consoleWebhookSchema
  .extend({ account_id: hostIdSchema })
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
  .meta({ description: "Numbers over all accounts." });
export type HostStats = z.output<typeof hostStatsSchema>;
