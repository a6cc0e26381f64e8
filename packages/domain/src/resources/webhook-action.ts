import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { answeredNullableText, answeredText, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { count, timeOrNull } from "./fields.ts";

/** What the operator does to all webhooks that a filter matches. */
export const webhookActions = ["turn-on", "pause", "resume", "disable", "enable"] as const;
export type WebhookActionName = (typeof webhookActions)[number];

/** The statuses of webhooks that exist. */
export const presentWebhookStatuses = ["active", "paused", "switched_off", "disabled_by_host"] as const;

const filterSchema = z
  .object({
    account_ids: z
      .array(hostIdSchema)
      .max(1_000)
      .optional()
      .meta({ description: "Only webhooks of these accounts.", example: ["acc_1"] }),
    status: z
      .enum(presentWebhookStatuses, "must be active, paused, switched_off or disabled_by_host")
      .optional()
      .meta({ description: "Only webhooks with this status.", example: "switched_off" }),
    status_changed_since: timestampSchema.optional().meta({
      description: "Only webhooks whose status changed at this time or later.",
      example: "2026-11-20T02:00:00Z",
    }),
    status_changed_until: timestampSchema.optional().meta({
      description: "Only webhooks whose status changed before this time.",
      example: "2026-11-20T04:00:00Z",
    }),
    target_host: text({
      max: 260,
      description: "Only webhooks whose URL has this host, with or without its port, in any case.",
      example: "hooks.example.com",
    }).optional(),
  })
  .meta({
    description:
      "The webhooks that change: all conditions hold, and the status allows the action. At least one condition is needed.",
    example: { status: "switched_off", status_changed_since: "2026-11-20T02:00:00Z" },
  });
export type WebhookActionFilter = z.output<typeof filterSchema>;

const actionField = z
  .enum(webhookActions, "must be turn-on, pause, resume, disable or enable")
  .meta({ description: "What is done to each webhook.", example: "turn-on" });
const recoverField = z.boolean().meta({
  description:
    "Whether each webhook that becomes active is sent what it missed since it was paused, switched off or disabled. Each starts a recovery.",
  example: true,
});

/** `POST /host/v1/webhooks/actions`. */
export const webhookActionInputSchema = z
  .object({
    action: actionField,
    filter: filterSchema,
    recover: recoverField.optional(),
    reason: text({
      max: 500,
      blank: false,
      description: "Needed to disable: what the owners read.",
      example: "This URL belongs to somebody else.",
    }).optional(),
    dry_run: z
      .boolean()
      .optional()
      .meta({ description: "True: only count what the filter matches. Nothing changes.", example: false }),
  })
  .meta({ description: "What to do to which webhooks." });
export type WebhookActionInput = z.output<typeof webhookActionInputSchema>;

/** An action on many webhooks, which runs in the background (contract: The host API). */
export const webhookActionSchema = z
  .object({
    id: answeredText({ description: "Id of the job.", example: "job_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
    action: actionField,
    filter: filterSchema,
    recover: recoverField,
    reason: answeredNullableText({
      description: "Why the webhooks are disabled, or null.",
      example: "This URL belongs to somebody else.",
    }),
    status: z
      .enum(["running", "finished", "stopped"])
      .meta({ description: "`stopped` by a person.", example: "running" }),
    found: count("Webhooks that matched when the job started. It grows while many are counted."),
    changed: count("Webhooks changed so far. It may lack the last 20 before a crash of a worker."),
    skipped: count("Webhooks that did not match any more when their turn came."),
    recoveries: count("Recoveries started so far."),
    created_at: timestampSchema,
    finished_at: timeOrNull("When the job ended. Null while it runs.", "2026-11-20T11:31:00Z"),
  })
  .meta({ description: "An action on all webhooks that a filter matches." });
export type WebhookAction = z.output<typeof webhookActionSchema>;

export const webhookActionPreviewSchema = z
  .object({ found: count("Webhooks that the action would change now.") })
  .meta({ description: "What an action would change." });
export type WebhookActionPreview = z.output<typeof webhookActionPreviewSchema>;
