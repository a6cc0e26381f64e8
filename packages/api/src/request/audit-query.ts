import { auditActions, timestampSchema } from "@hookwright/domain";
import { z } from "zod";
import { filter, pageQuery } from "./query-parameters.ts";

/** The filters of the audit log of one account. */
export const auditQuery = pageQuery.extend({
  action: z
    .enum(auditActions, `must be one of ${auditActions.join(", ")}`)
    .optional()
    .meta({ description: "Only changes of this type.", example: "webhook.paused" }),
  actor: filter("The kind, the id or the name of an actor.", "support"),
  since: timestampSchema
    .optional()
    .meta({ description: "Only changes at this time or later.", example: "2026-11-20T09:30:00Z" }),
  until: timestampSchema
    .optional()
    .meta({ description: "Only changes before this time.", example: "2026-11-20T11:30:00Z" }),
});
