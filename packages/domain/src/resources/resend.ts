import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { answeredText, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { attemptErrors } from "../attempt-errors.ts";
import { count, eventReference, projectReference, timeOrNull } from "./fields.ts";

/** The ends of a delivery that can be sent again. */
export const endedStatuses = ["delivered", "failed", "cancelled"] as const;
export type EndedStatus = (typeof endedStatuses)[number];

/** Deliveries that one job can name. */
const maximumChosen = 1_000;

const filterSchema = z
  .object({
    statuses: z
      .array(
        z
          .enum(
            endedStatuses,
            "must be delivered, failed or cancelled: pending deliveries are sent without a job",
          )
          .meta({ description: "How a delivery ended.", example: "failed" }),
      )
      .max(10)
      .optional()
      .meta({
        description:
          "How the deliveries ended. Needed, unless `delivery_ids` are given (default: all), `outcome` is given (default: the same) or `not_sent` is true (default: none).",
        example: ["failed", "cancelled"],
      }),
    outcome: z.enum(["failed", "cancelled"]).optional().meta({
      description:
        "Only events with this outcome, as the delivery list and the ledger count them: each once, for the time at which it was published, and not its resends.",
      example: "failed",
    }),
    webhook_ids: z
      .array(hostIdSchema)
      .max(50)
      .optional()
      .meta({
        description: "Only deliveries of these webhooks.",
        example: ["wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21"],
      }),
    project_id: projectReference.optional(),
    event: eventReference.optional(),
    since: timestampSchema.optional().meta({
      description: "Only deliveries created, and events published, at this time or later.",
      example: "2026-11-20T09:30:00Z",
    }),
    until: timestampSchema.optional().meta({
      description: "Only deliveries created, and events published, before this time.",
      example: "2026-11-20T11:30:00Z",
    }),
    http_status: z
      .int("must be a whole number from 100 to 599")
      .min(100)
      .max(599)
      .optional()
      .meta({ description: "The HTTP status of the newest attempt.", example: 503 }),
    error: z
      .enum(attemptErrors)
      .optional()
      .meta({ description: "The error class of the newest attempt.", example: "timeout" }),
    issue: hostIdSchema.optional().meta({
      description: "Only deliveries with the failure of this issue, as it is when the job starts.",
      example: "iss_7c41a0f39d1e6b7c8d21019a",
    }),
    q: text({
      max: 512,
      description: "A text, as the search of the delivery list takes it.",
      example: "order.created_ord_1001",
    }).optional(),
    delivery_ids: z
      .array(hostIdSchema)
      .max(maximumChosen)
      .optional()
      .meta({
        description:
          "Only these deliveries, if the other conditions hold too. At most 1,000. Those that do not exist are skipped.",
        example: ["dlv_019a9c3f5b2e7c41a0f39d1e6b7c8d21"],
      }),
  })
  .meta({
    description: "The deliveries that are sent again: all conditions hold.",
    example: { statuses: ["failed"], since: "2026-11-20T09:30:00Z" },
  });

const notSentField = z.boolean().meta({
  description:
    "Whether events are sent too that a webhook missed because it was paused or disabled. Of the filter, only `webhook_ids`, `project_id`, `event`, `since` and `until` apply to them.",
  example: false,
});

/** `POST …/resends`. */
export const resendInputSchema = z
  .object({
    filter: filterSchema,
    not_sent: notSentField.optional(),
    turn_on: z.boolean().optional().meta({
      description:
        "True: the webhooks of `webhook_ids` are turned on, or resumed, when the job starts. Then each gets what it did not accept since it was disabled or paused. `statuses` is `failed` and `cancelled`, and `not_sent` is true, unless they are given. If one stops again before the job has sent all, the next job with `turn_on` begins where this one did, unless it was turned on without a job since this one ended. Active webhooks are left out.",
      example: false,
    }),
    dry_run: z
      .boolean()
      .optional()
      .meta({ description: "True: only count what would be sent. Nothing is sent.", example: false }),
  })
  .meta({ description: "What to send again." });
export type ResendInput = z.output<typeof resendInputSchema>;

/** A job that sends deliveries of an account again, in the background (contract: The developer API). */
export const resendSchema = z
  .object({
    id: answeredText({ description: "Id of the job.", example: "rcv_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
    filter: filterSchema
      .omit({ delivery_ids: true })
      .extend({ chosen: count("How many deliveries `delivery_ids` named.").optional() })
      .meta({
        description: "The filter of the job, with `chosen` for `delivery_ids`. A recovery has its webhook.",
      }),
    not_sent: notSentField,
    turned_on: count("Webhooks that the start of the job has turned on. Only with `turn_on`.").optional(),
    status: z.enum(["running", "finished", "stopped"]).meta({
      description:
        "`stopped` by a person, or because its account may not send. A recovery also stops when its webhook is removed, paused or disabled.",
      example: "running",
    }),
    found: count(
      "Events that matched when the job started, and chosen deliveries that do not exist. It grows while a large log is counted. An event that was accepted since, that is pending, or whose record was deleted does not match.",
    ),
    resent: count("New deliveries created so far."),
    skipped: count(
      "Events that were found and are not sent: their webhook is not active, or they were accepted or their record was deleted meanwhile. Also chosen deliveries that do not exist.",
    ),
    created_at: timestampSchema,
    finished_at: timeOrNull("When the job ended. Null while it runs.", "2026-11-20T11:31:00Z"),
  })
  .meta({ description: "Sends again all deliveries that a filter matches." });
export type Resend = z.output<typeof resendSchema>;

export const resendPreviewSchema = z
  .object({
    found: count("Events that match now, and chosen deliveries that do not exist."),
    skipped: count(
      "Those of them that would not be sent, because their webhook is not active or the delivery does not exist.",
    ),
    complete: z.boolean().meta({
      description: "False if there may be more: at most 10,000 deliveries and events are counted.",
      example: true,
    }),
  })
  .meta({ description: "What a job would send again." });
export type ResendPreview = z.output<typeof resendPreviewSchema>;
