import { z } from "zod";
import { emailSchema } from "../email-address.ts";
import { hostIdSchema, isRecordId } from "../ids.ts";
import { answeredText, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import type { Account } from "./account.ts";
import { accountLoginId, personNameSchema, roleSchema } from "./person.ts";
import type { SessionHolder } from "./person.ts";

/** `POST /console/api/session`. */
export const signInSchema = z
  .object({
    email: emailSchema,
    password: text({ max: 1_000, description: "The password.", example: "correct horse battery" }),
    machine: text({
      max: 100,
      blank: false,
      line: true,
      description:
        "The machine of a login of the command line. Such a session lasts 90 days from its last use.",
      example: "ada-laptop",
    }).optional(),
  })
  .meta({ description: "The login of an account, or of one of its people." });
export type SignInInput = z.output<typeof signInSchema>;

/** A session of the developer console. */
export interface Session extends SessionHolder {
  /** The console token: `Authorization: Bearer <token>`. */
  readonly token: string;
  /** With `machine`: if it is not used until then. */
  readonly expires_at: string;
  readonly account: Account;
  /** Present for a login of the command line. */
  readonly machine?: string;
}

/** A session that a link has opened. */
export interface LinkedSession extends Session {
  /** Whether it can change nothing. */
  readonly read_only: boolean;
  /** The page of the console that the link opens: `/webhooks/wh_…`. Null: the first one. */
  readonly path: string | null;
  /** Why the host's staff opened it. Null: they gave none, or it is a session of the owner. */
  readonly reason: string | null;
}

export const signedOutSchema = z
  .object({
    id: hostIdSchema,
    signed_out: z.literal(true).meta({ description: "Always true." }),
  })
  .meta({ description: "All sessions of the account have ended." });

const minimumTtlSeconds = 30;
const maximumTtlSeconds = 3_600;

/** The pages of the console by the first part of their path. */
export const consoleSections = [
  "webhooks",
  "deliveries",
  "events",
  "listen",
  "requests",
  "keys",
  "people",
  "activity",
  "settings",
] as const;
const consolePath = new RegExp(
  `^/(?:(?:${consoleSections.join("|")})(?:/[^\\s/?#\\\\]+){0,2})?(?:\\?[^\\s#]*)?$`,
  "u",
);

const linkPersonSchema = z
  .object({
    id: text({ max: 128, description: "The id that the host has for the person.", example: "user_17" })
      .refine(isRecordId, "must be 1 to 128 printable characters without white space")
      .refine((id) => id !== accountLoginId, "must not be `account`, the login of the account"),
    name: personNameSchema,
    email: emailSchema,
  })
  .meta({
    description: "The user of the host who gets the link. The activity of the account names this person.",
  });

/** `POST /host/v1/accounts/{id}/console-sessions`. */
export const consoleLinkInputSchema = z
  .object({
    read_only: z.boolean().meta({ description: "Whether the session can change nothing.", example: false }),
    ttl_seconds: z
      .int()
      .min(minimumTtlSeconds)
      .max(maximumTtlSeconds)
      .meta({ description: "How long the link can be used, in seconds. Default: 300.", example: 300 }),
    person: linkPersonSchema,
    role: roleSchema,
    path: text({
      max: 500,
      description:
        "The page of the console that the link opens, as its address has it behind the `#`. Default: the first page.",
      example: "/webhooks/wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }).regex(consolePath, "must be a page of the console, such as /webhooks/wh_1"),
    reason: text({
      max: 500,
      blank: false,
      description:
        "Why somebody else than the owner opens the console. The owner reads it in the activity of the account, and the console shows it.",
      example: "Ticket 4711: deliveries of order 1042",
    }),
  })
  .partial()
  .meta({ description: "All fields are optional. Without `role`, the session is that of an owner." });
export type ConsoleLinkInput = z.output<typeof consoleLinkInputSchema>;

export const consoleLinkSchema = z
  .object({
    url: answeredText({
      description:
        "The path of the console with a code that works once. Relative to the origin of the server.",
      example: "/integrations/console#/link/hwl_…",
    }),
    expires_at: timestampSchema,
  })
  .meta({ description: "A link that opens the console once." });
export type ConsoleLink = z.output<typeof consoleLinkSchema>;

/** `POST /console/api/session/link`. */
export const linkCodeSchema = z
  .object({ code: text({ max: 200, description: "The code of the link.", example: "hwl_…" }) })
  .meta({ description: "The code of a link that the host has created." });
export type LinkCodeInput = z.output<typeof linkCodeSchema>;
