import { z } from "zod";
import { answeredNullableText, answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { attemptErrors } from "../attempt-errors.ts";
import { count } from "./fields.ts";

/**
 * `open`: nobody has said anything. `acknowledged`: somebody knows. It raises no alert until it comes again after a day without it.
 * `ignored`: it raises no alert, and is listed only if it is asked for.
 */
export const issueStatuses = ["open", "acknowledged", "ignored"] as const;
export type IssueStatus = (typeof issueStatuses)[number];

const statusField = z
  .enum(issueStatuses, "must be open, acknowledged or ignored")
  .meta({ description: "`open`, `acknowledged` or `ignored`.", example: "acknowledged" });

/** `PATCH …/issues/{id}`. */
export const issueChangeSchema = z.object({ status: statusField }).meta({ description: "A new status." });

export const issueSchema = z
  .object({
    id: answeredText({ description: "Id of the issue.", example: "iss_7c41a0f39d1e6b7c8d21019a" }),
    webhook_id: answeredText({
      description: "The webhook.",
      example: "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    status: statusField,
    http_status: z.int().nullable().meta({ description: "The HTTP status. Null without one.", example: 500 }),
    error: z.enum(attemptErrors).nullable().meta({
      description:
        "The error class. Null: the failures that are equal to none of the 20 issues of the webhook.",
      example: "status",
    }),
    response: answeredNullableText({
      description:
        "What the response says in one line: numbers and ids are `#`, e-mail addresses `…@…`. Null without a response.",
      example: '{"error": "order # not found"}',
    }),
    deliveries: count("Deliveries and resends with at least one such attempt. Tests are not counted."),
    attempts: count("Attempts that failed so."),
    first_at: timestampSchema.meta({ description: "When it came first." }),
    since: timestampSchema.meta({
      description: "When it came again after a day without it. Otherwise as `first_at`.",
    }),
    last_at: timestampSchema.meta({ description: "When it came last." }),
    deliveries_since: timestampSchema.meta({ description: "When the oldest of its deliveries was created." }),
    last_delivery_id: answeredText({
      description: "The delivery of the last attempt.",
      example: "dlv_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
  })
  .meta({ description: "Equal failures of one webhook: the same answer with the same first line." });
export type Issue = z.output<typeof issueSchema>;
