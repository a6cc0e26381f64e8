import { HookwrightError, keyRights } from "@hookwright/domain";
import { createTextCache } from "@hookwright/storage/text-cache";
import type { ServiceContext } from "../context.ts";
import { readMarkedAccount } from "../lookups/read-account.ts";
import { parseAccountRow, toAccount } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { expiredKey, machineLoginMs, unknownKey } from "../rows/credential-rows.ts";
import type { ApiKeyRow } from "../rows/credential-rows.ts";
import { toFingerprint } from "../rows/credential-rows.ts";
import type { FingerprintRow } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import { consoleTokenPrefix } from "../rows/credential-rows.ts";
import type { SessionRow } from "../rows/credential-rows.ts";
import { parseSessionEntry } from "../rows/session-entry.ts";
import { toSessionListMutation, toSessionMutation } from "../sign-in/open-session.ts";
import { toSessionHolder } from "../sign-in/session-holder.ts";
import type { Caller, Service } from "../use-cases.ts";

/** `last_used_at` has a resolution of a minute, which saves a commit per request. */
const useIntervalMs = 60_000;
/** A login of the command line is extended this often. */
const extensionIntervalMs = 60 * 60 * 1_000;
/** The maximum number of keys in each in-memory map. */
const maximumCached = 100_000;

/**
 * Finds the caller of a token. Each request reads the key's row, so that a revocation takes effect with the commit that also removes
 * its webhooks.
 */
export function createAuthenticate({ store, now, onError }: ServiceContext): Service["authenticate"] {
  const parseKey = createTextCache((text): ApiKeyRow => JSON.parse(text));
  const parseSession = createTextCache((text): SessionRow => JSON.parse(text));
  /** Converted accounts by row. All callers share them, so callers must not change them. */
  const accounts = new WeakMap<AccountRow, Caller["account"]>();
  const lastUses = new Map<string, number>();
  /** Owners by fingerprint. They never change, so entries need no invalidation. */
  const owners = new Map<string, FingerprintRow>();

  /** Whether a use may be written: once a minute. */
  function isDue(id: string, at: number): boolean {
    // The absolute difference, because the clock may have stepped back.
    if (Math.abs(at - (lastUses.get(id) ?? 0)) < useIntervalMs) return false;
    if (lastUses.size >= maximumCached) lastUses.clear();
    lastUses.set(id, at);
    return true;
  }

  function recordUse(accountId: string, keyId: string): void {
    const at = now();
    if (!isDue(keyId, at)) return;
    const key = keys.apiKeyUse(accountId, keyId);
    // Not awaited. If this write fails, the use in the next minute is written.
    store
      .commit(key[0], { mutations: [{ type: "set", key, value: String(at) }] })
      .catch((error: unknown) =>
        onError(error, { account_id: accountId, key_id: keyId, code: "key_use_not_recorded" }),
      );
  }

  /** Extends a login of the command line. The checks keep a login that ends meanwhile from coming back. */
  async function extendLogin(token: string, text: string, entryText: string): Promise<void> {
    const at = now();
    const session = parseSession(text);
    if (session.expires_at - at > machineLoginMs - extensionIntervalMs) return;
    const entry = parseSessionEntry(entryText);
    if (!isDue(entry.id, at)) return;
    const expires_at = at + machineLoginMs;
    const listed = toSessionListMutation(session.account_id, { ...entry, expires_at, last_used_at: at });
    const { ok } = await store.commit(listed.key[0], {
      checks: [{ key: listed.key, value: entryText }],
      mutations: [listed],
    });
    if (!ok) return;
    const extended = toSessionMutation(token, { ...session, expires_at });
    await store.commit(extended.key[0], {
      checks: [{ key: extended.key, value: text }],
      mutations: [extended],
    });
  }

  /** A console token is valid until it expires or signs out, the password changes, the person is removed, or sessions are ended. */
  async function authenticateSession(token: string): Promise<Caller> {
    const text = await store.get(keys.consoleSession(toFingerprint(token)));
    if (text === undefined) throw unknownToken();
    const session = parseSession(text);
    const { account_id: accountId, mark, expires_at: expiresAt } = session;
    if (now() >= expiresAt) {
      throw new HookwrightError("console_token_expired", "The console token has expired. Sign in again.");
    }
    const found = await readMarkedAccount(store, accountId, session);
    const { accountText, person, entry } = found;
    if (accountText === undefined || found.mark !== mark) throw unknownToken();
    if (session.machine !== undefined && entry !== undefined)
      // Not awaited. If this write fails, the next use extends it.
      extendLogin(token, text, entry).catch((error: unknown) =>
        onError(error, { account_id: accountId, code: "login_not_extended" }),
      );
    const readOnly = session.read_only ?? false;
    const link = session.link && { createdBy: session.link.created_by };
    const account = accountOf(accountText);
    const holder = toSessionHolder(account, person, session);
    return {
      accountId,
      account,
      role: holder.role,
      rights: holder.rights,
      person: holder.person,
      credential: {
        type: "console",
        readOnly,
        ...(link === undefined ? {} : { link }),
        sessionId: session.id,
        personId: session.person_id,
      },
      expiresAt,
    };
  }

  function accountOf(text: string): Caller["account"] {
    const row = parseAccountRow(text);
    const account = accounts.get(row) ?? toAccount(row);
    accounts.set(row, account);
    return account;
  }

  async function findOwner(fingerprint: string): Promise<FingerprintRow> {
    const text = await store.get(keys.keyFingerprint(fingerprint));
    if (text === undefined) throw unknownKey();
    const owner: FingerprintRow = JSON.parse(text);
    if (owners.size >= maximumCached) owners.clear();
    owners.set(fingerprint, owner);
    return owner;
  }

  return async (token) => {
    if (token.startsWith(consoleTokenPrefix)) return authenticateSession(token);
    const fingerprint = toFingerprint(token);
    const { account_id: accountId, key_id: keyId } =
      owners.get(fingerprint) ?? (await findOwner(fingerprint));
    const [keyText, accountText] = await store.getMany([
      keys.apiKey(accountId, keyId),
      keys.account(accountId),
    ]);
    if (keyText === undefined || accountText === undefined) throw unknownKey();
    const key = parseKey(keyText);
    if (key.revoked_at !== null) throw unknownKey();
    if (key.expires_at !== undefined && now() >= key.expires_at) throw expiredKey();
    recordUse(accountId, keyId);
    return {
      accountId,
      account: accountOf(accountText),
      rights: key.rights ?? keyRights,
      projectId: key.project_id,
      credential: { type: "key", keyId, name: key.name, integration: key.integration },
      expiresAt: key.expires_at,
    };
  };
}

function unknownToken(): HookwrightError {
  return new HookwrightError("invalid_api_key", "The console token is unknown or signed out. Sign in again.");
}
