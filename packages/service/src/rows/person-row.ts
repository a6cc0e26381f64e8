import { toTimestamp } from "@hookwright/domain";
import type { Person, Role } from "@hookwright/domain";
import { createTextCache } from "@hookwright/storage/text-cache";
import { toTimestampOrNull } from "./to-timestamp-or-null.ts";

/** A stored person of an account. Times are milliseconds since the epoch. */
export interface PersonRow {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly timezone: string | null;
  readonly created_at: number;
  /** Null after it was accepted. */
  readonly invitation: { readonly fingerprint: string; readonly expires_at: number } | null;
  /** The scrypt hash. Null until the invitation is accepted. */
  readonly password: string | null;
}

/** What an invitation leads to. Its key is the fingerprint of its token. */
export interface InvitationRow {
  readonly account_id: string;
  readonly person_id: string;
}

export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1_000;

export const parsePersonRow = createTextCache((text): PersonRow => JSON.parse(text));

/** A person who can sign in. */
export type ActivePerson = PersonRow & { readonly name: string; readonly password: string };

export function isActivePerson(row: PersonRow): row is ActivePerson {
  return row.password !== null && row.name !== null;
}

/** @param lastSignIn the row `last-sign-in` */
export function toPerson(
  row: PersonRow,
  { now, lastSignIn }: { readonly now: number; readonly lastSignIn: string | undefined },
): Person {
  const { id, email, name, role, timezone, invitation } = row;
  return {
    id,
    email,
    name,
    role,
    status: invitation === null ? "active" : now < invitation.expires_at ? "invited" : "expired",
    timezone,
    created_at: toTimestamp(row.created_at),
    expires_at: toTimestampOrNull(invitation?.expires_at ?? null),
    last_sign_in_at: toTimestampOrNull(lastSignIn === undefined ? null : Number(lastSignIn)),
  };
}
