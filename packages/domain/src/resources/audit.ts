import { z } from "zod";
import { answeredNullableText, answeredText } from "../text.ts";
import { auditActions } from "./audit-actions.ts";
import { timestampSchema } from "../timestamps.ts";

export type AuditAction = (typeof auditActions)[number];

const actorKinds = ["host", "program", "owner", "person", "link", "api_key", "client", "system"] as const;

const auditActorSchema = z
  .object({
    kind: z.enum(actorKinds).meta({
      description:
        "`host`: a host token. `program`: a function call of the embedding program. `owner`: the login of the account, signed in to the console. `person`: one of its people, or a user whom the host named with a one-time link. `link`: somebody who opened the console with a one-time link. `api_key`: an API key. `client`: somebody without a valid credential. `system`: the server, by itself.",
      example: "host",
    }),
    id: answeredNullableText({
      description: "The id of the API key or the person.",
      example: "key_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    name: answeredNullableText({
      description:
        "The name of the person, the host token or the API key, for a link that of the token that created it.",
      example: "support",
    }),
  })
  .meta({ description: "Who made the change." });
export type AuditActor = z.output<typeof auditActorSchema>;

const targetKinds = [
  "account",
  "api_key",
  "contact",
  "delivery",
  "email_list",
  "erasure",
  "event_type",
  "listener",
  "notice_endpoint",
  "notice_target",
  "person",
  "project",
  "record",
  "recovery",
  "rejected_event",
  "resend",
  "session",
  "suppression",
  "webhook",
  "webhook_action",
] as const;

const fieldChangeSchema = z
  .object({
    field: answeredText({ description: "The field.", example: "limits.webhooks" }),
    old: answeredNullableText({
      description:
        "The value before, as text of at most 500 characters. A URL has no query. Null: none, or the default.",
      example: "100",
    }),
    new: answeredNullableText({ description: "The value after, in the same form.", example: "200" }),
  })
  .meta({ description: "The old and the new value of a field." });
export type FieldChange = z.output<typeof fieldChangeSchema>;

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
      .meta({ description: "The names of the fields that changed.", example: ["target_url"] }),
    changes: z.array(fieldChangeSchema).meta({
      description:
        "Their old and new values, at most 20. Passwords, signing secrets and own headers have none, nor do entries of versions before this field.",
    }),
    request_id: answeredNullableText({
      description: "Value of `X-Request-Id`. Null: a function call.",
      example: "req_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
  })
  .meta({ description: "An entry of the audit log: who changed what, and when." });

export const listedAuditEntrySchema = auditEntrySchema
  .extend({
    account_name: answeredNullableText({
      description: "The name that the account has now. Null: no account, or it was deleted.",
      example: "Bakery",
    }),
  })
  .meta({ description: "An entry in the log of all accounts: who changed what, and when." });
export type ListedAuditEntry = z.output<typeof listedAuditEntrySchema>;
export type AuditTarget = AuditEntry["target"];
export type AuditEntry = z.output<typeof auditEntrySchema>;
