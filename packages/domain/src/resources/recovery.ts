import { z } from "zod";
import { answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { count, timeOrNull } from "./fields.ts";
import { webhookIdField } from "./webhook.ts";

/** The ends of a delivery that a recovery sends again. */
export const recoveredStatuses = ["failed", "cancelled"] as const;
export type RecoveredStatus = (typeof recoveredStatuses)[number];

const since = timestampSchema.meta({
  description: "Deliveries that ended at this time or later, and events published at this time or later.",
  example: "2026-11-20T09:30:00Z",
});
const statuses = z
  .array(z.enum(recoveredStatuses).meta({ description: "How a delivery ended.", example: "failed" }))
  .meta({ description: "How the deliveries ended that are sent again.", example: ["failed", "cancelled"] });
const missed = z.boolean().meta({
  description: "Whether events are sent that were published while the webhook was paused or disabled.",
  example: false,
});
/** A recovery: it sends again what one webhook has not accepted (contract: The developer API). */
export const recoverySchema = z
  .object({
    id: answeredText({ description: "Id of the recovery.", example: "rcv_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
    webhook_id: webhookIdField,
    since,
    until: timestampSchema.meta({
      description: "Deliveries created, and events published, before this time.",
      example: "2026-11-20T11:30:00Z",
    }),
    statuses,
    missed,
    status: z.enum(["running", "finished", "stopped"]).meta({
      description:
        "`stopped` by a person, or because the webhook was removed, paused or disabled, or its account may not send.",
      example: "running",
    }),
    found: count("What matched when the recovery started. It grows while a large log is counted."),
    resent: count("New deliveries created so far."),
    created_at: timestampSchema,
    finished_at: timeOrNull("When the recovery ended. Null while it runs.", "2026-11-20T11:31:00Z"),
  })
  .meta({ description: "Sends again everything of a webhook that failed or was cancelled since a time." });
export type Recovery = z.output<typeof recoverySchema>;

/** `POST …/webhooks/{id}/recoveries`. */
export const recoveryInputSchema = z
  .object({
    since,
    until: timestampSchema.optional().meta({
      description: "Deliveries created, and events published, before this time. Default: the present time.",
      example: "2026-11-20T11:30:00Z",
    }),
    statuses: statuses.max(10).optional(),
    missed: missed.optional(),
  })
  .meta({ description: "The recovery to start." });
export type RecoveryInput = z.output<typeof recoveryInputSchema>;

/** What a recovery would send again if it started now. */
export interface RecoveryPreview {
  readonly found: number;
  /** False if there may be more: at most 1,000 deliveries and events are examined. */
  readonly complete: boolean;
}
