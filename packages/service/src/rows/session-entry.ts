import { toTimestamp } from "@hookwright/domain";
import type { ListedSession, Role, SessionPerson } from "@hookwright/domain";

/** A stored session in the list of its account. Times are milliseconds since the epoch. */
export interface SessionEntry {
  readonly id: string;
  /** As in the row of the session. */
  readonly mark: string;
  readonly person: SessionPerson | null;
  /** Whether the person has a row. */
  readonly is_row: boolean;
  readonly role: Role;
  readonly link: boolean;
  readonly read_only: boolean;
  readonly created_at: number;
  readonly expires_at: number;
  readonly network: string | null;
  /** Present for a login of the command line. */
  readonly machine?: string | undefined;
  readonly last_used_at?: number | undefined;
}

export function parseSessionEntry(text: string): SessionEntry {
  return JSON.parse(text);
}

/** @param role the present role of its person */
export function toListedSession(entry: SessionEntry, role: Role, current: boolean): ListedSession {
  const { id, person, link, read_only, network, machine = null, last_used_at: usedAt } = entry;
  return {
    id,
    person,
    role,
    link,
    read_only,
    created_at: toTimestamp(entry.created_at),
    expires_at: toTimestamp(entry.expires_at),
    network,
    machine,
    last_used_at: usedAt === undefined ? null : toTimestamp(usedAt),
    current,
  };
}
