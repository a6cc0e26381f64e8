import { z } from "zod";
import { answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { count } from "./fields.ts";

function duration(description: string) {
  return z.number().min(0).nullable().meta({ description, example: 84 });
}

const outcomesSchema = z.object({
  due: count(
    "Deliveries of events that were published in this time, and events that were not sent: the sum of the five numbers that follow. Tests and resends are not counted.",
    120,
  ),
  delivered: count("Accepted, also by a resend.", 110),
  pending: count("Wait for an attempt.", 2),
  failed: count("Not accepted in the last attempt.", 5),
  cancelled: count("Given up, because the webhook was disabled or removed.", 1),
  not_sent: count("Not sent, because the webhook was paused or disabled when the event was published.", 2),
});
/** What became of events. `due` is the sum of the other numbers. */
export type LedgerOutcomes = z.output<typeof outcomesSchema>;

/** @param description whose events, and of which time */
export function ledgerOutcomes(description: string) {
  return outcomesSchema.meta({ description });
}

const ledgerNumbersSchema = outcomesSchema.extend({
  retried: count("Attempts after the first one."),
  first_try_rate: z.number().min(0).max(1).nullable().meta({
    description: "Of the events with an attempt, the share that the first one delivered. Null without one.",
    example: 0.98,
  }),
  p50_ms: duration(
    "Half of the attempts took at most this long, in milliseconds. Interpolated between two bounds that are about 26 % apart. Null without an attempt.",
  ),
  p95_ms: duration("95 % of the attempts took at most this long."),
  p99_ms: duration("99 % of the attempts took at most this long."),
  max_ms: duration(
    "No attempt took longer: the upper bound of the step of the slowest one, up to 26 % above it. Attempts above 10 s count as 10 s.",
  ),
});
/** What became of the events that were published in a period. `due` is the sum of the five numbers that follow it. */
export type LedgerNumbers = z.output<typeof ledgerNumbersSchema>;

export const ledgerSchema = z
  .object({
    since: timestampSchema.meta({ description: "The beginning of the first step." }),
    until: timestampSchema.meta({ description: "The end of the last step." }),
    step_seconds: z.int().min(60).meta({ description: "The length of a step.", example: 900 }),
    totals: ledgerNumbersSchema.meta({ description: "The whole time." }),
    series: z
      .array(
        z
          .object({ at: timestampSchema.meta({ description: "The beginning of the step." }) })
          .extend(ledgerNumbersSchema.shape),
      )
      .meta({ description: "All steps, oldest first. The last one may not be over." }),
    webhooks: z
      .array(
        z
          .object({
            webhook_id: answeredText({ description: "Also one that was removed.", example: "wh_1" }),
          })
          .extend(ledgerNumbersSchema.shape),
      )
      .optional()
      .meta({
        description: "With `by=webhook`: the numbers of each webhook with events, the least delivered first.",
      }),
  })
  .meta({ description: "What became of the events that were published in a time." });
/** The ledger of an account, or of a part of it. */
export interface Ledger extends Omit<z.output<typeof ledgerSchema>, "series" | "webhooks"> {
  readonly series: readonly (LedgerNumbers & { readonly at: string })[];
  readonly webhooks?: readonly (LedgerNumbers & { readonly webhook_id: string })[] | undefined;
}
