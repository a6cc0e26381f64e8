import { z } from "zod";
import { emailSchema } from "../email-address.ts";
import { text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { accountSchema } from "./account.ts";

/** `POST /console/api/session`. */
export const signInSchema = z
  .object({
    email: emailSchema,
    password: text({ max: 1_000, description: "The account's password.", example: "correct horse battery" }),
  })
  .meta({ description: "The account's login." });
export type SignInInput = z.output<typeof signInSchema>;

export const sessionSchema = z
  .object({
    token: text({
      max: 200,
      description: "The console token: `Authorization: Bearer <token>`.",
      example: "hwc_…",
    }),
    expires_at: timestampSchema,
    account: accountSchema,
  })
  .meta({ description: "A session of the developer console." });
export type Session = z.output<typeof sessionSchema>;
