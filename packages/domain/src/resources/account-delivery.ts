import { z } from "zod";
import { settings } from "../settings/settings.ts";

const retryDelay = z.number().min(0.05).max(86_400);

/** How deliveries of one account are repeated. Null is the default of the server. */
export const accountDeliverySchema = z
  .object({
    switch_off_after: z
      .union([z.int().min(1).max(1_000), z.literal("off")])
      .nullable()
      .meta({
        description:
          "Failed attempts in a row after which a webhook is switched off. `off`: never. Null: the default of the server.",
        example: 100,
      }),
    retry_delays_seconds: z
      .array(retryDelay)
      .min(1)
      .max(100)
      .nullable()
      .meta({
        description:
          "Seconds from each failed attempt of a delivery to the next. Retries that are scheduled keep their time. Null: the default of the server.",
        example: [60, 600, 3_600],
      }),
  })
  .meta({
    description: "How deliveries of the account are repeated, and when its webhooks are switched off.",
  });
export type AccountDelivery = z.output<typeof accountDeliverySchema>;

export const defaultAccountDelivery: AccountDelivery = { switch_off_after: null, retry_delays_seconds: null };

/** The rules in effect. */
export const deliveryRulesSchema = z
  .object({
    switch_off_after: accountDeliverySchema.shape.switch_off_after.unwrap().meta({
      description: "Failed attempts in a row after which a webhook is switched off. `off`: never.",
      example: 30,
    }),
    retry_delays_seconds: z.array(retryDelay).meta({
      description: "Seconds from each failed attempt of a delivery to the next.",
      example: [15, 60, 240, 540, 900],
    }),
    endpoint_backoff_seconds: z.number().min(0).meta({
      description: "The longest pause of a webhook whose attempts keep failing. 0: none.",
      example: 180,
    }),
  })
  .meta({ description: "How deliveries are repeated, with the defaults of the server." });
export type DeliveryRules = z.output<typeof deliveryRulesSchema>;

/** The rules of a server without options. */
export const defaultDeliveryRules: DeliveryRules = {
  switch_off_after: settings.switchOffAfter.fallback,
  retry_delays_seconds: [...settings.retryDelaysSeconds.fallback],
  endpoint_backoff_seconds: settings.endpointBackoffSeconds.fallback,
};

/** The rules of an account. */
export function toDeliveryRules(own: AccountDelivery | undefined, rules: DeliveryRules): DeliveryRules {
  return {
    switch_off_after: own?.switch_off_after ?? rules.switch_off_after,
    retry_delays_seconds: own?.retry_delays_seconds ?? rules.retry_delays_seconds,
    endpoint_backoff_seconds: rules.endpoint_backoff_seconds,
  };
}
