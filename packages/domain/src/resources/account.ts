import { z } from "zod";
import { emailSchema } from "../email-address.ts";
import { hostIdSchema } from "../ids.ts";
import { text } from "../text.ts";
import { timeZoneSchema } from "../time-zone.ts";
import { timestampSchema } from "../timestamps.ts";
import { ledgerOutcomes } from "./ledger.ts";
import { count } from "./fields.ts";
import { accountDeliverySchema, deliveryRulesSchema } from "./account-delivery.ts";
import type { DeliveryRules } from "./account-delivery.ts";
import { accountLimitsSchema, accountRetentionSchema } from "./account-limits.ts";
import type { SessionHolder } from "./person.ts";

const planName = text({ max: 100, blank: false, description: "Name of the plan.", example: "standard" });
const integrations = z
  .boolean()
  .meta({ description: "Whether the plan includes the API and webhooks.", example: true });
const crm = z.boolean().meta({ description: "Whether the plan includes the CRM (contacts).", example: true });
const limit = (description: string) => z.int().min(0).nullable().meta({ description, example: 500 });
const subscriberLimit = limit("New subscribers in a calendar month; null means no limit.");
const postLimit = limit("Blog posts on one site; null means no limit.");

export const planSchema = z
  .object({
    name: planName,
    integrations,
    crm,
    monthly_new_subscribers: subscriberLimit,
    blog_posts_per_site: postLimit,
  })
  .meta({ description: "The contents of the account's plan." });
export type Plan = z.output<typeof planSchema>;

/** A host's change of a plan. Omitted fields stay. */
export const planInputSchema = planSchema.partial().meta({ description: "Omitted fields stay unchanged." });
export type PlanInput = z.output<typeof planInputSchema>;

const accountName = text({ max: 200, description: "Name of the account.", example: "Analytical Bakery" });
const demo = z.boolean().meta({ description: "A demo account is read-only.", example: false });

export const accountSchema = z
  .object({
    id: hostIdSchema,
    name: accountName,
    email: emailSchema,
    timezone: timeZoneSchema,
    plan: planSchema,
    demo,
    created_at: timestampSchema,
  })
  .meta({ description: "The account of the API key." });
export type Account = z.output<typeof accountSchema>;

export const accountStatusSchema = z.enum(["active", "suspended"]).meta({
  description: "A suspended account cannot use `/v1` and receives no deliveries.",
  example: "active",
});
export type AccountStatus = z.output<typeof accountStatusSchema>;

/** An account as the host sees it. */
export const hostAccountSchema = accountSchema
  .extend({
    status: accountStatusSchema,
    limits: accountLimitsSchema,
    retention: accountRetentionSchema,
    delivery: accountDeliverySchema,
  })
  .meta({ description: "An account, with its status and its limits." });
export type HostAccount = z.output<typeof hostAccountSchema>;

/** `GET /host/v1/accounts/{id}`. */
export const readAccountSchema = hostAccountSchema
  .extend({ delivery_in_effect: deliveryRulesSchema })
  .meta({ description: "An account, with its status, its limits and the rules of its deliveries." });
export type ReadAccount = z.output<typeof readAccountSchema>;

/** An account as its console sees it, and who sees it. Its limits and what is kept are those in effect. Null: no limit, or not known. */
export interface ConsoleAccount extends Omit<HostAccount, "status" | "delivery">, SessionHolder {
  readonly delivery: DeliveryRules;
}

const accountLogSchema = z
  .object({
    deliveries: count("Deliveries in the log."),
    bytes: count("Their size, as the limit `retention.delivery_log_mib` counts it."),
    measured_at: timestampSchema.meta({
      description: "When it had this size first. It is measured every hour, and earlier if it grows fast.",
    }),
  })
  .meta({ description: "The size of the delivery log." });
export type AccountLog = z.output<typeof accountLogSchema>;

/** An account in the list of the host. */
export const listedAccountSchema = hostAccountSchema
  .extend({
    ledger: ledgerOutcomes(
      "With `sort` or `period`: what became of the events of the period, as in the ledger of the account.",
    ).optional(),
    log: accountLogSchema
      .nullable()
      .meta({ description: "The size of the delivery log. Null: it is empty, or was not measured yet." }),
  })
  .meta({ description: "An account, with its status, its limits, its ledger and the size of its log." });
export type ListedAccount = z.output<typeof listedAccountSchema>;

/**
 * `PUT /host/v1/accounts/{id}`: omitted fields stay. The host has its own password policy. The limit only
 * bounds the cost of the key derivation.
 */
export const accountInputSchema = z
  .object({
    name: accountName,
    email: emailSchema,
    timezone: timeZoneSchema,
    status: accountStatusSchema,
    plan: planInputSchema,
    limits: accountLimitsSchema.partial().meta({ description: "Omitted fields stay unchanged." }),
    retention: accountRetentionSchema.partial().meta({ description: "Omitted fields stay unchanged." }),
    delivery: accountDeliverySchema.partial().meta({ description: "Omitted fields stay unchanged." }),
    demo,
    password: text({
      max: 1_000,
      description: "Console password; write only.",
      example: "correct horse battery",
    }),
  })
  .partial()
  .meta({ description: "Omitted fields stay unchanged." });
export type AccountInput = z.output<typeof accountInputSchema>;
