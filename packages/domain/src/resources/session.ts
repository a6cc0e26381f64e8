import { z } from "zod";
import { emailSchema } from "../email-address.ts";
import { hostIdSchema } from "../ids.ts";
import { answeredText, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import type { Account } from "./account.ts";

/** `POST /console/api/session`. */
export const signInSchema = z
  .object({
    email: emailSchema,
    password: text({ max: 1_000, description: "The account's password.", example: "correct horse battery" }),
  })
  .meta({ description: "The account's login." });
export type SignInInput = z.output<typeof signInSchema>;

/** A session of the developer console. */
export interface Session {
  /** The console token: `Authorization: Bearer <token>`. */
  readonly token: string;
  readonly expires_at: string;
  readonly account: Account;
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

/** Not the pages of the operator or of a shared delivery, nor another link. */
const pagePath = /^\/(?!operator|shared|link)[!-~]*$/u;

/** `POST /host/v1/accounts/{id}/console-sessions`. */
export const consoleLinkInputSchema = z
  .object({
    read_only: z.boolean().meta({ description: "Whether the session can change nothing.", example: false }),
    ttl_seconds: z
      .int()
      .min(minimumTtlSeconds)
      .max(maximumTtlSeconds)
      .meta({ description: "How long the link can be used, in seconds. Default: 300.", example: 300 }),
    path: text({
      max: 500,
      description:
        "The page of the console that the link opens, as its address has it behind the `#`. Default: the first page.",
      example: "/webhooks/wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }).regex(pagePath, "must be a page of the console, such as /webhooks/wh_1"),
    reason: text({
      max: 500,
      blank: false,
      description:
        "Why somebody else than the owner opens the console. The owner reads it in the activity of the account, and the console shows it.",
      example: "Ticket 4711: deliveries of order 1042",
    }),
  })
  .partial()
  .meta({ description: "All fields are optional." });
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
