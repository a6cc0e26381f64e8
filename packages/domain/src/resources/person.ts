import { z } from "zod";
import { emailSchema } from "../email-address.ts";
import { roles } from "../rights.ts";
import type { Right, Role } from "../rights.ts";
import { text } from "../text.ts";
import { timeOrNull } from "./fields.ts";
import { timestampSchema } from "../timestamps.ts";
import { timeZoneSchema } from "../time-zone.ts";

/** People and open invitations of an account, besides the login of the account. */
export const maximumPeople = 100;
/** The id that the login of the account itself has in the list of people. */
export const accountLoginId = "account";

export const roleSchema = z.enum(roles, "must be `viewer`, `developer` or `owner`").meta({
  description:
    "`viewer` reads. `developer` also changes webhooks and keys, and resends. `owner` also invites and removes people.",
  example: "developer",
});

export const personNameSchema = text({
  max: 200,
  blank: false,
  description: "The name of a person.",
  example: "Ada Lovelace",
});

/** `POST /console/api/people`. */
export const personInputSchema = z
  .object({ email: emailSchema, role: roleSchema })
  .meta({ description: "Who is invited." });

/** `PATCH /console/api/people/{id}`. */
export const personChangeSchema = z.object({ role: roleSchema }).meta({ description: "The new role." });

const newPasswordSchema = text({
  max: 1_000,
  description: "The password of the person.",
  example: "correct horse battery",
}).min(8, "must have at least 8 characters");

/** `PATCH /console/api/me`. */
export const ownChangeSchema = z
  .object({
    name: personNameSchema,
    timezone: timeZoneSchema,
    password: z
      .object({
        current: text({ max: 1_000, description: "The password until now.", example: "correct horse" }),
        new: newPasswordSchema,
      })
      .meta({ description: "The old and the new password." }),
  })
  .partial()
  .meta({ description: "What a person changes of their own login." });
export type OwnChange = z.output<typeof ownChangeSchema>;

/** `POST /console/api/invitations/{token}`. */
export const acceptanceSchema = z
  .object({
    name: personNameSchema,
    password: newPasswordSchema,
    timezone: text({
      max: 64,
      description: "IANA time zone name. An unknown one is left out.",
      example: "Europe/London",
    }).optional(),
  })
  .meta({ description: "The person who accepts the invitation." });

export const personSchema = z
  .object({
    id: z
      .string()
      .meta({ description: "`account` for the login of the account itself.", example: "account" }),
    email: emailSchema,
    name: z
      .string()
      .nullable()
      .meta({ description: "Null until the invitation is accepted.", example: "Ada Lovelace" }),
    role: roleSchema,
    status: z.enum(["active", "invited", "expired"]).meta({
      description: "`expired`: the invitation was not accepted in time.",
      example: "active",
    }),
    timezone: z
      .string()
      .nullable()
      .meta({ description: "IANA time zone name. Null: not known.", example: "Europe/London" }),
    created_at: timestampSchema,
    expires_at: timeOrNull("The end of the invitation.", null),
    last_sign_in_at: timeOrNull("Null: never."),
  })
  .meta({ description: "Somebody who has the console of an account, or an open invitation." });
export type Person = Readonly<z.output<typeof personSchema>>;

/** The response to an invitation, the only one with the link. */
export interface CreatedInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly status: "invited";
  /** A page of the console. Its token is behind the `#`. */
  readonly url: string;
  readonly expires_at: string;
}

/** What the page of an invitation shows. */
export interface Invitation {
  readonly account_name: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: string;
}

/** The person of a console session. */
export interface SessionPerson {
  /** `account` for the login of the account. A host gives its own people ids of its own. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** The person of a session, with the role and its rights. */
export interface SessionHolder {
  /** Null: a link of the host opened the session and names nobody. */
  readonly person: SessionPerson | null;
  readonly role: Role;
  readonly rights: readonly Right[];
}

/** A session of the console in a list. */
export interface ListedSession {
  readonly id: string;
  readonly person: SessionPerson | null;
  readonly role: Role;
  /** Whether a link of the host opened it. */
  readonly link: boolean;
  readonly read_only: boolean;
  readonly created_at: string;
  readonly expires_at: string;
  /** The address of the sign-in, of IPv6 the first half. Null: not known. */
  readonly network: string | null;
  /** The machine of a login of the command line. Null: a session of a browser. */
  readonly machine: string | null;
  /** Of a login of the command line, as of the last hour. Null: not known. */
  readonly last_used_at: string | null;
  /** Whether it is the session of this request. */
  readonly current: boolean;
}
