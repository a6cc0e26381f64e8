import { toTimestamp } from "@hookwright/domain";
import type { Session, SessionPerson, Role } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { toAccount } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import {
  consoleTokenPrefix,
  createCredential,
  keepExpiredMs,
  machineLoginMs,
  renderSession,
  toFingerprint,
} from "../rows/credential-rows.ts";
import type { SessionRow } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import type { PersonRow } from "../rows/person-row.ts";
import type { SessionEntry } from "../rows/session-entry.ts";
import type { ClientAddress, ConsoleLinkOrigin } from "../use-cases.ts";
import type { SignInAudit } from "./audit-sign-ins.ts";
import { toKnownNetwork } from "./client-network.ts";
import { toSessionActor, toSessionHolder } from "./session-holder.ts";

export interface SessionStart {
  readonly account: AccountRow;
  /** The `toSessionMark` of the login. */
  readonly mark: string;
  readonly client: ClientAddress;
  /** Undefined: the login of the account, or a link. */
  readonly person?: PersonRow | undefined;
  /** True if the session may change nothing. @default false */
  readonly readOnly?: boolean;
  /** The link that opens the session. @default no link */
  readonly link?: ConsoleLinkOrigin | undefined;
  /** Whom the link names. */
  readonly guest?: SessionPerson | undefined;
  /** The role that the link gives. @default "owner" */
  readonly role?: Role | undefined;
  /** Of a login of the command line. */
  readonly machine?: string | undefined;
}

/** Clocks of processes and stores differ by less. */
const clockSlackMs = 60 * 60 * 1_000;

type OpenContext = Pick<ServiceContext, "store" | "now" | "newId" | "randomBytes" | "consoleTokenSeconds">;

/**
 * Stores a new session of the developer console. Only the fingerprint of its token is stored. Its entry in the list of the account is
 * written first, with the entry of the audit log: no session without them.
 */
export async function openSession(
  { store, now, newId, randomBytes, consoleTokenSeconds }: OpenContext,
  audit: Pick<SignInAudit, "succeeded">,
  { account: row, mark, client, person, readOnly = false, link, guest, role, machine }: SessionStart,
): Promise<Session> {
  const token = createCredential(consoleTokenPrefix, randomBytes);
  const id = newId("ses");
  const at = now();
  const expiresAt = at + (machine === undefined ? consoleTokenSeconds * 1_000 : machineLoginMs);
  const session: SessionRow = {
    account_id: row.id,
    id,
    mark,
    expires_at: expiresAt,
    ...(readOnly ? { read_only: true } : {}),
    ...(link === undefined ? {} : { link: { created_by: link.createdBy } }),
    ...(person === undefined ? {} : { person_id: person.id }),
    ...(guest === undefined ? {} : { guest }),
    ...(role === undefined ? {} : { role }),
    machine,
  };
  const holder = toSessionHolder(row, person, session);
  const entry: SessionEntry = {
    id,
    mark,
    person: holder.person,
    is_row: person !== undefined,
    role: holder.role,
    link: link !== undefined,
    read_only: readOnly,
    created_at: at,
    expires_at: expiresAt,
    network: toKnownNetwork(client.clientAddress),
    ...(machine === undefined ? {} : { machine, last_used_at: at }),
  };
  const mutations: Mutation[] = [toSessionListMutation(row.id, entry)];
  if (holder.person !== null && guest === undefined)
    mutations.push({ type: "set", key: keys.lastSignIn(row.id, holder.person.id), value: String(at) });
  await audit.succeeded(row.id, toSessionActor(holder.person, link), mutations);
  const mutation = toSessionMutation(token, session);
  await store.commit(mutation.key[0], { mutations: [mutation] });
  const {
    status: _,
    limits: _limits,
    retention: _retention,
    delivery: _delivery,
    ...account
  } = toAccount(row);
  return {
    token,
    expires_at: toTimestamp(expiresAt),
    account,
    ...holder,
    ...(machine === undefined ? {} : { machine }),
  };
}

export function toSessionMutation(token: string, session: SessionRow): Mutation {
  return {
    type: "set",
    key: keys.consoleSession(toFingerprint(token)),
    value: renderSession(session),
    expiresAt: session.expires_at + keepExpiredMs,
  };
}

/** Its entry in the list of the account. */
export function toSessionListMutation(accountId: string, entry: SessionEntry): Mutation {
  return {
    type: "set",
    key: keys.sessionEntry(accountId, entry.id),
    value: JSON.stringify(entry),
    // Expiry of the store must not end the session early.
    expiresAt: entry.expires_at + clockSlackMs,
  };
}
