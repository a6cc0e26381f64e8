import { z } from "zod";
import { keptBodies } from "../kept-bodies.ts";

const bounded = (maximum: number, description: string, example: number) =>
  z
    .int()
    .min(1)
    .max(maximum)
    .nullable()
    .meta({ description: `${description} Null: the default of the server.`, example });

/** The webhooks that an account may have (contract: Webhooks). */
export const maximumWebhooks = 50;
/** Active keys per account by default. The specification sets no limit; a larger number indicates a mistake of the client. */
export const maximumApiKeys = 100;

/** Limits of one account. Null is the default of the server. */
export const accountLimitsSchema = z
  .object({
    requests_per_minute: bounded(1_000_000, "Requests to `/v1` in any 60 s.", 600),
    console_requests_per_minute: bounded(1_000_000, "Requests to the console API in any 60 s.", 600),
    sends_per_minute: bounded(1_000_000, "Resends and tests in any 60 s.", 60),
    webhooks: bounded(maximumWebhooks, "Webhooks of the account. Those above a lower limit stay.", 50),
    api_keys: bounded(1_000, "Active API keys of the account. Those above a lower limit stay.", 100),
  })
  .meta({ description: "The limits of the account." });
export type AccountLimits = z.output<typeof accountLimitsSchema>;

/** How much is kept of the logs of one account. Null is the default of the server. */
export const accountRetentionSchema = z
  .object({
    days: z
      .number()
      .min(1 / 24, "must be at least 0.042 (an hour)")
      .max(3_650)
      .nullable()
      .meta({
        description:
          "Days that completed deliveries and requests stay in their logs. Null: the default of the server.",
        example: 30,
      }),
    deliveries: bounded(10_000_000, "Deliveries in the log.", 1_000_000),
    delivery_log_mib: bounded(16_384, "Size of the delivery log in MiB.", 256),
    requests: bounded(1_000_000, "Requests in the log.", 10_000),
    bodies: z.enum(keptBodies).nullable().meta({
      description:
        "Bodies of requests and responses in the log of deliveries. `all`: kept with their delivery. `until_accepted`: those of a delivery are removed when it is accepted. `none`: not stored. Applies to attempts made from then on. Null: the default of the server.",
      example: "all",
    }),
  })
  .meta({ description: "How much is kept of the logs of the account." });
export type AccountRetention = z.output<typeof accountRetentionSchema>;

export const defaultAccountLimits: AccountLimits = {
  requests_per_minute: null,
  console_requests_per_minute: null,
  sends_per_minute: null,
  webhooks: null,
  api_keys: null,
};

export const defaultAccountRetention: AccountRetention = {
  days: null,
  deliveries: null,
  delivery_log_mib: null,
  requests: null,
  bodies: null,
};
