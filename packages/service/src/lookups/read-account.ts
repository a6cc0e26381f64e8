import { defaultAccountRetention, expectIntegrations, HookwrightError, isHostId } from "@hookwright/domain";
import type { AccountRetention, KeptBodies } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { parseAccountRow } from "../rows/account-row.ts";
import { toSessionMark } from "../rows/credential-rows.ts";
import type { SessionRow } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import { isActivePerson, parsePersonRow } from "../rows/person-row.ts";
import type { PersonRow } from "../rows/person-row.ts";

/**
 * Reads the row of an account. The id may come from a client, and be too long for a key of the store.
 *
 * @throws HookwrightError `resource_not_found`
 */
export async function readAccount(store: Store, accountId: string): Promise<string> {
  const text = isHostId(accountId) ? await store.get(keys.account(accountId)) : undefined;
  if (text === undefined) throw new HookwrightError("resource_not_found", "No such account.");
  return text;
}

/**
 * Throws if the account is suspended or its plan has no integrations (contract: Webhooks). Applies to tests and resends.
 *
 * @returns the account's row, for the check of a commit
 * @throws HookwrightError `account_unavailable`, `plan_required`, `resource_not_found`
 */
export async function expectMaySend(store: Store, accountId: string): Promise<string> {
  const text = await readAccount(store, accountId);
  expectIntegrations(parseAccountRow(text));
  return text;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** What the host has set for an account. Undefined: the default of the server. */
export interface OwnRetention {
  readonly retentionMs: number | undefined;
  readonly deliveriesKept: number | undefined;
  readonly deliveryLogBytes: number | undefined;
  readonly requestsKept: number | undefined;
  readonly bodies: KeptBodies | undefined;
}

/** Reads it anew each time, so that a change takes effect at once in every process. */
export async function readAccountRetention(store: Store, accountId: string): Promise<OwnRetention> {
  return toOwnRetention(await store.get(keys.account(accountId)));
}

/** @param text the row of the account */
export function toOwnRetention(text: string | undefined): OwnRetention {
  const retention: AccountRetention =
    (text === undefined ? undefined : parseAccountRow(text).retention) ?? defaultAccountRetention;
  const { days, deliveries, delivery_log_mib: mebibytes, requests, bodies } = retention;
  return {
    retentionMs: days === null ? undefined : days * dayMs,
    deliveriesKept: deliveries ?? undefined,
    deliveryLogBytes: mebibytes === null ? undefined : mebibytes * 2 ** 20,
    requestsKept: requests ?? undefined,
    bodies: bodies ?? undefined,
  };
}

/** What a session or a link depends on. */
export interface SessionDependencies {
  /** Undefined: the account was removed. */
  readonly accountText: string | undefined;
  /** Undefined: the session has no person with a row, or the person was removed. */
  readonly person: PersonRow | undefined;
  /** The {@link toSessionMark}. Undefined: the person was removed, or the session was ended. */
  readonly mark: string | undefined;
  /** Its entry in the list of the account. */
  readonly entry: string | undefined;
}

/** Reads the row of an account, and in the same read what a session depends on. */
export async function readMarkedAccount(
  store: Store,
  accountId: string,
  { id: sessionId, person_id: personId, role }: Pick<SessionRow, "id" | "person_id" | "role"> = {},
): Promise<SessionDependencies> {
  const [accountText, ended, login, entry] = await store.getMany([
    keys.account(accountId),
    keys.sessionsEnded(accountId),
    personId === undefined ? keys.accountPassword(accountId) : keys.person(accountId, personId),
    ...(sessionId === undefined ? [] : [keys.sessionEntry(accountId, sessionId)]),
  ]);
  const person = personId === undefined || login === undefined ? undefined : parsePersonRow(login);
  const isEnded = sessionId !== undefined && entry === undefined;
  const isRemoved = personId !== undefined && (person === undefined || !isActivePerson(person));
  const password = personId === undefined ? login : (person?.password ?? undefined);
  const mark = isEnded || isRemoved ? undefined : toSessionMark(password, ended, role);
  return { accountText, person, mark, entry };
}
