import { z } from "zod";
import { answeredNullableText, answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";

/** What the audit log names. A name never changes, because programs filter by it. */
export const auditActions = [
  "account.created",
  "account.updated",
  "account.deleted",
  "api_key.created",
  "api_key.revoked",
  "console_link.created",
  "console_sessions.ended",
  "delivery.resent",
  "delivery.shared",
  "delivery.share_revoked",
  "email_list.created",
  "email_list.updated",
  "issue.acknowledged",
  "issue.ignored",
  "issue.reopened",
  "listener.created",
  "project.created",
  "project.updated",
  "record.deleted",
  "recovery.started",
  "recovery.stopped",
  "resend.started",
  "resend.stopped",
  "sign_in.failed",
  "suppression.created",
  "suppression.updated",
  "suppression.deleted",
  "webhook.created",
  "webhook.updated",
  "webhook.deleted",
  "webhook.paused",
  "webhook.resumed",
  "webhook.turned_on",
  "webhook.disabled",
  "webhook.enabled",
  "webhook.tested",
  "webhook.rotation_started",
  "webhook.rotation_finished",
  "webhook.rotation_cancelled",
  "webhook_action.started",
  "webhook_action.stopped",
] as const;
export type AuditAction = (typeof auditActions)[number];

const actorKinds = ["host", "program", "owner", "link", "api_key", "client"] as const;

const auditActorSchema = z
  .object({
    kind: z.enum(actorKinds).meta({
      description:
        "`host`: a host token. `program`: a function call of the embedding program. `owner`: the account's owner, signed in to the console. `link`: a person who opened the console with a one-time link. `api_key`: an API key. `client`: somebody without a valid credential.",
      example: "host",
    }),
    id: answeredNullableText({
      description: "The id of the API key.",
      example: "key_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    name: answeredNullableText({
      description: "The name of the host token, for a link that of the token that created it.",
      example: "support",
    }),
  })
  .meta({ description: "Who made the change." });
export type AuditActor = z.output<typeof auditActorSchema>;

const targetKinds = [
  "account",
  "api_key",
  "delivery",
  "email_list",
  "listener",
  "project",
  "record",
  "recovery",
  "resend",
  "suppression",
  "webhook",
  "webhook_action",
] as const;

export const auditEntrySchema = z
  .object({
    id: answeredText({ description: "Id of the entry.", example: "aud_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
    at: timestampSchema,
    actor: auditActorSchema,
    action: z.enum(auditActions).meta({ description: "What was done.", example: "webhook.paused" }),
    account_id: answeredNullableText({ description: "The account. Null: no account.", example: "acc_1" }),
    target: z
      .object({
        kind: z.enum(targetKinds).meta({ description: "The type of what was changed.", example: "webhook" }),
        id: answeredNullableText({
          description: "Its id. Null for a suppression, whose id is an e-mail address.",
          example: "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
        }),
      })
      .meta({ description: "What was changed." }),
    changed: z
      .array(answeredText({ description: "Name of a field.", example: "status" }))
      .meta({ description: "The fields that an update changed, without their values.", example: ["status"] }),
    request_id: answeredNullableText({
      description: "Value of `X-Request-Id`. Null: a function call.",
      example: "req_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
  })
  .meta({ description: "An entry of the audit log: who changed what, and when." });
export type AuditTarget = AuditEntry["target"];
export type AuditEntry = z.output<typeof auditEntrySchema>;
