import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { attentionKinds } from "./overview.ts";
import type { Attention } from "./overview.ts";

/** `POST /console/api/snoozes`. */
export const snoozeInputSchema = z
  .object({
    kind: z.enum(attentionKinds, `must be one of ${attentionKinds.join(", ")}`).meta({
      description: "The kind of the alert.",
      example: "webhook_failing",
    }),
    webhook_id: hostIdSchema.meta({
      description: "The webhook.",
      example: "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    hours: z
      .int("must be a whole number from 0 to 168")
      .min(0, "must be a whole number from 0 to 168")
      .max(168, "must be a whole number from 0 to 168")
      .meta({ description: "For how long. 0: the alert comes back at once.", example: 24 }),
  })
  .meta({ description: "The alert, and for how long it is put off." });
/** An alert, and until when it is put off. `snoozed_until` null: it is not put off. */
export type Snooze = Pick<Attention, "kind" | "webhook_id" | "snoozed_until">;
