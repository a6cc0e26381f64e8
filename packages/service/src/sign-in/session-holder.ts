import { accountLoginId, rightsOfRole } from "@hookwright/domain";
import type { AuditActor, SessionHolder, SessionPerson } from "@hookwright/domain";
import type { AccountRow } from "../rows/account-row.ts";
import type { SessionRow } from "../rows/credential-rows.ts";
import type { PersonRow } from "../rows/person-row.ts";
import type { ConsoleLinkOrigin } from "../use-cases.ts";

/** The person of a session, with the role that the person has now. */
export function toSessionHolder(
  account: Pick<AccountRow, "name" | "email">,
  person: PersonRow | undefined,
  session: Pick<SessionRow, "guest" | "link" | "role">,
): SessionHolder {
  const role = person?.role ?? session.role ?? "owner";
  return { person: toSessionPerson(account, person, session), role, rights: rightsOfRole[role] };
}

function toSessionPerson(
  { name, email }: Pick<AccountRow, "name" | "email">,
  person: PersonRow | undefined,
  { guest, link }: Pick<SessionRow, "guest" | "link">,
): SessionPerson | null {
  if (person !== undefined) return { id: person.id, name: person.name ?? person.email, email: person.email };
  if (guest !== undefined) return guest;
  return link === undefined ? { id: accountLoginId, name, email } : null;
}

/** The actor of a session in the audit log. The address of a person is part of the name, because people choose their names. */
export function toSessionActor(
  person: SessionPerson | null | undefined,
  link: ConsoleLinkOrigin | undefined,
): AuditActor {
  if (person && person.id !== accountLoginId)
    return { kind: "person", id: person.id, name: `${person.name} (${person.email})` };
  if (link === undefined) return { kind: "owner", id: null, name: null };
  return { kind: "link", id: null, name: link.createdBy };
}
